/*! Rules of gitleaks v8.30.1 (config/gitleaks.toml), MIT License, Copyright (c) 2019 Zachary Rice. Made by src/renewSecretRules.mjs. */

/** One a line: id, least entropy of the secret in bits a character, words of which one is in the text, and the pattern; the first group that took part is the secret. */
export const gitleaksRules = String.raw`
1password-secret-key	3.8	a3-	\bA3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b
1password-service-account-token	4	ops_	ops_eyJ[a-zA-Z0-9+/]{250,}={0,3}
adafruit-api-key	0	adafruit	(?:[aA][dD][aA][fF][rR][uU][iI][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9_-]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
adobe-client-id	2	adobe	(?:[aA][dD][oO][bB][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
adobe-client-secret	2	p8e-	\b(p8e-[a-zA-Z0-9]{32})(?!\w)
age-secret-key	0	age-secret-key-1	AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
airtable-api-key	0	airtable	(?:[aA][iI][rR][tT][aA][bB][lL][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{17})(?:[\x60'"\s;]|\\[nNrR]|$)
airtable-personnal-access-token	0	airtable	\b(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})\b
algolia-api-key	0	algolia	(?:[aA][lL][gG][oO][lL][iI][aA])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
alibaba-access-key-id	2	ltai	\b(LTAI[a-zA-Z0-9]{20})(?!\w)
alibaba-secret-key	2	alibaba	(?:[aA][lL][iI][bB][aA][bB][aA])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{30})(?:[\x60'"\s;]|\\[nNrR]|$)
anthropic-admin-api-key	0	sk-ant-admin01	\b(sk-ant-admin01-[a-zA-Z0-9_\-]{93}AA)(?!\w)
anthropic-api-key	0	sk-ant-api03	\b(sk-ant-api03-[a-zA-Z0-9_\-]{93}AA)(?!\w)
artifactory-api-key	4.5	akcp	\bAKCp[A-Za-z0-9]{69}\b
artifactory-reference-token	4.5	cmvmd	\bcmVmd[A-Za-z0-9]{59}\b
asana-client-id	0	asana	(?:[aA][sS][aA][nN][aA])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9]{16})(?:[\x60'"\s;]|\\[nNrR]|$)
asana-client-secret	0	asana	(?:[aA][sS][aA][nN][aA])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
atlassian-api-token	3.5	atlassian,confluence,jira,atatt3	(?:(?:ATLASSIAN|[Aa]tlassian)|(?:CONFLUENCE|[Cc]onfluence)|(?:JIRA|[Jj]ira))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{20}[a-fA-F0-9]{4})(?:[\x60'"\s;]|\\[nNrR]|$)|\b([Aa][Tt][Aa][Tt][Tt]3[A-Za-za-zA-Z0-9_\-=]{186})(?:[\x60'"\s;]|\\[nNrR]|$)
authress-service-client-access-key	2	sc_,ext_,scauth_,authress_	\b((?:sc|ext|scauth|authress)_[a-zA-Z0-9]{5,30}\.[a-zA-Z0-9]{4,6}\.(?:acc)[_-][a-zA-Z0-9-]{10,32}\.[a-zA-Z0-9+/_=-]{30,120})(?!\w)
aws-access-token	3	a3t,akia,asia,abia,acca	\b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b
aws-amazon-bedrock-api-key-long-lived	3	absk	\b(ABSK[A-Za-z0-9+/]{109,269}={0,2})(?!\w)
aws-amazon-bedrock-api-key-short-lived	3	bedrock-api-key-	bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t
azure-ad-client-secret	3	q~	(?:^|[\\'"\x60\s>=:(,)])([a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})(?:$|[\\'"\x60\s<),])
beamer-api-token	0	beamer	(?:[bB][eE][aA][mM][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([bB]_[a-zA-Z0-9=_\-]{44})(?:[\x60'"\s;]|\\[nNrR]|$)
bitbucket-client-id	0	bitbucket	(?:[bB][iI][tT][bB][uU][cC][kK][eE][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
bitbucket-client-secret	0	bitbucket	(?:[bB][iI][tT][bB][uU][cC][kK][eE][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
bittrex-access-key	0	bittrex	(?:[bB][iI][tT][tT][rR][eE][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
bittrex-secret-key	0	bittrex	(?:[bB][iI][tT][tT][rR][eE][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
cisco-meraki-api-key	3	meraki	(?:(?:(?:[Mm]eraki|MERAKI))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-f]{40})(?:[\x60'"\s;]|\\[nr]|$)
clickhouse-cloud-api-secret-key	3	4b1d	\b(4b1d[A-Za-z0-9]{38})\b
clojars-api-token	2	clojars_	[Cc][Ll][Oo][Jj][Aa][Rr][Ss]_[a-zA-Z0-9]{60}
cloudflare-api-key	2	cloudflare	(?:[cC][lL][oO][uU][dD][fF][lL][aA][rR][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9_-]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
cloudflare-global-api-key	2	cloudflare	(?:[cC][lL][oO][uU][dD][fF][lL][aA][rR][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{37})(?:[\x60'"\s;]|\\[nNrR]|$)
cloudflare-origin-ca-key	2	cloudflare,v1.0-	\b(v1\.0-[a-f0-9]{24}-[a-f0-9]{146})(?!\w)
codecov-access-token	0	codecov	(?:[cC][oO][dD][eE][cC][oO][vV])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
cohere-api-token	4	cohere,co_api_key	(?:(?:[cC][oO][hH][eE][rR][eE]|[Cc][Oo]_[Aa][Pp][Ii]_[Kk][Ee][Yy])(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{40})(?:[\x60'"\s;]|\\[nr]|$)
coinbase-access-token	0	coinbase	(?:[cC][oO][iI][nN][bB][aA][sS][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9_-]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
confluent-access-token	0	confluent	(?:[cC][oO][nN][fF][lL][uU][eE][nN][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{16})(?:[\x60'"\s;]|\\[nNrR]|$)
confluent-secret-key	0	confluent	(?:[cC][oO][nN][fF][lL][uU][eE][nN][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
contentful-delivery-api-token	0	contentful	(?:[cC][oO][nN][tT][eE][nN][tT][fF][uU][lL])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{43})(?:[\x60'"\s;]|\\[nNrR]|$)
databricks-api-token	3	dapi	\b(dapi[a-f0-9]{32}(?:-\d)?)(?!\w)
datadog-access-token	0	datadog	(?:[dD][aA][tT][aA][dD][oO][gG])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
defined-networking-api-token	0	dnkey	(?:[dD][nN][kK][eE][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([dD][nN][kK][eE][yY]-[a-zA-Z0-9=_\-]{26}-[a-zA-Z0-9=_\-]{52})(?:[\x60'"\s;]|\\[nNrR]|$)
digitalocean-access-token	3	doo_v1_	\b(doo_v1_[a-f0-9]{64})(?!\w)
digitalocean-pat	3	dop_v1_	\b(dop_v1_[a-f0-9]{64})(?!\w)
digitalocean-refresh-token	0	dor_v1_	\b([dD][oO][rR]_[vV]1_[a-fA-F0-9]{64})(?!\w)
discord-api-token	0	discord	(?:[dD][iI][sS][cC][oO][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
discord-client-id	2	discord	(?:[dD][iI][sS][cC][oO][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9]{18})(?:[\x60'"\s;]|\\[nNrR]|$)
discord-client-secret	2	discord	(?:[dD][iI][sS][cC][oO][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
doppler-api-token	2	dp.pt.	dp\.pt\.[a-zA-Z0-9]{43}
droneci-access-token	0	droneci	(?:[dD][rR][oO][nN][eE][cC][iI])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
dropbox-api-token	0	dropbox	(?:[dD][rR][oO][pP][bB][oO][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{15})(?:[\x60'"\s;]|\\[nNrR]|$)
dropbox-long-lived-api-token	0	dropbox	(?:[dD][rR][oO][pP][bB][oO][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{11}([Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa][Aa])[a-zA-Z0-9\-_=]{43})(?:[\x60'"\s;]|\\[nNrR]|$)
dropbox-short-lived-api-token	0	dropbox	(?:[dD][rR][oO][pP][bB][oO][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([sS][lL]\.[a-zA-Z0-9\-=_]{135})(?:[\x60'"\s;]|\\[nNrR]|$)
duffel-api-token	2	duffel_	duffel_(?:test|live)_[a-zA-Z0-9_\-=]{43}
dynatrace-api-token	4	dt0c01.	dt0c01\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{64}
easypost-api-token	2	ezak	\bEZAK[a-zA-Z0-9]{54}\b
easypost-test-api-token	2	eztk	\bEZTK[a-zA-Z0-9]{54}\b
etsy-access-token	3	etsy	(?:(?:ETSY|[Ee]tsy))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{24})(?:[\x60'"\s;]|\\[nNrR]|$)
facebook-access-token	3	facebook	\b(\d{15,16}(\||%)[0-9a-zA-Z\-_]{27,40})(?!\w)
facebook-page-access-token	4	eaam,eaac	\b(EAA[MC][a-zA-Z0-9]{100,})(?!\w)
facebook-secret	3	facebook	(?:[fF][aA][cC][eE][bB][oO][oO][kK])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
fastly-api-token	0	fastly	(?:[fF][aA][sS][tT][lL][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
finicity-api-token	0	finicity	(?:[fF][iI][nN][iI][cC][iI][tT][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
finicity-client-secret	0	finicity	(?:[fF][iI][nN][iI][cC][iI][tT][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{20})(?:[\x60'"\s;]|\\[nNrR]|$)
finnhub-access-token	0	finnhub	(?:[fF][iI][nN][nN][hH][uU][bB])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{20})(?:[\x60'"\s;]|\\[nNrR]|$)
flickr-access-token	0	flickr	(?:[fF][lL][iI][cC][kK][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
flutterwave-encryption-key	2	flwseck_test	FLWSECK_TEST-[a-hA-H0-9]{12}
flutterwave-public-key	2	flwpubk_test	FLWPUBK_TEST-[a-hA-H0-9]{32}-[Xx]
flutterwave-secret-key	2	flwseck_test	FLWSECK_TEST-[a-hA-H0-9]{32}-[Xx]
flyio-access-token	4	fo1_,fm1,fm2_	\b((?:fo1_[\w-]{43}|fm1[ar]_[a-zA-Z0-9+\/]{100,}={0,3}|fm2_[a-zA-Z0-9+\/]{100,}={0,3}))(?!\w)
frameio-api-token	0	fio-u-	fio-u-[a-zA-Z0-9\-_=]{64}
freemius-secret-key	0	secret_key	["'][sS][eE][cC][rR][eE][tT]_[kK][eE][yY]["']\s*=>\s*["']([sS][kK]_[\S]{29})["']
freshbooks-access-token	0	freshbooks	(?:[fF][rR][eE][sS][hH][bB][oO][oO][kK][sS])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
gcp-api-key	4	aiza	\b(AIza[\w-]{35})(?!\w)
github-app-token	3	ghu_,ghs_	(?:ghu|ghs)_[0-9a-zA-Z]{36}
github-fine-grained-pat	3	github_pat_	github_pat_\w{82}
github-oauth	3	gho_	gho_[0-9a-zA-Z]{36}
github-pat	3	ghp_	ghp_[0-9a-zA-Z]{36}
github-refresh-token	3	ghr_	ghr_[0-9a-zA-Z]{36}
gitlab-cicd-job-token	3	glcbt-	glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}
gitlab-deploy-token	3	gldt-	gldt-[0-9a-zA-Z_\-]{20}
gitlab-feature-flag-client-token	3	glffct-	glffct-[0-9a-zA-Z_\-]{20}
gitlab-feed-token	3	glft-	glft-[0-9a-zA-Z_\-]{20}
gitlab-incoming-mail-token	3	glimt-	glimt-[0-9a-zA-Z_\-]{25}
gitlab-kubernetes-agent-token	3	glagent-	glagent-[0-9a-zA-Z_\-]{50}
gitlab-oauth-app-secret	3	gloas-	gloas-[0-9a-zA-Z_\-]{64}
gitlab-pat	3	glpat-	glpat-[\w-]{20}
gitlab-pat-routable	4	glpat-	\bglpat-[0-9a-zA-Z_-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b
gitlab-ptt	3	glptt-	glptt-[0-9a-f]{40}
gitlab-rrt	3	gr1348941	GR1348941[\w-]{20}
gitlab-runner-authentication-token	3	glrt-	glrt-[0-9a-zA-Z_\-]{20}
gitlab-runner-authentication-token-routable	4	glrt-	\bglrt-t\d_[0-9a-zA-Z_\-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b
gitlab-scim-token	3	glsoat-	glsoat-[0-9a-zA-Z_\-]{20}
gitlab-session-cookie	3	_gitlab_session=	_gitlab_session=[0-9a-z]{32}
gitter-access-token	0	gitter	(?:[gG][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9_-]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
gocardless-api-token	0	live_,gocardless	(?:[gG][oO][cC][aA][rR][dD][lL][eE][sS][sS])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([lL][iI][vV][eE]_[a-zA-Z0-9\-_=]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
grafana-api-key	3	eyjrijoi	\b([eE][yY][Jj][rR][Ii][jJ][oO][iI][A-Za-za-zA-Z0-9]{70,400}={0,3})(?!\w)
grafana-cloud-api-token	3	glc_	\b([gG][lL][cC]_[A-Za-za-zA-Z0-9+/]{32,400}={0,3})(?!\w)
grafana-service-account-token	3	glsa_	\b([gG][lL][sS][aA]_[A-Za-za-zA-Z0-9]{32}_[A-Fa-fa-fA-F0-9]{8})(?!\w)
harness-api-key	0	pat.,sat.	(?:pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}
hashicorp-tf-api-token	3.5	atlasv1	[a-zA-Z0-9]{14}\.(?:atlasv1)\.[a-zA-Z0-9\-_=]{60,70}
heroku-api-key	0	heroku	(?:[hH][eE][rR][oO][kK][uU])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
heroku-api-key-v2	4	hrku-aa	\b((HRKU-AA[0-9a-zA-Z_-]{58}))(?!\w)
hubspot-api-key	0	hubspot	(?:[hH][uU][bB][sS][pP][oO][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
huggingface-access-token	2	hf_	\b(hf_(?:[a-zA-Z]{34}))(?!\w)
huggingface-organization-api-token	2	api_org_	\b(api_org_(?:[a-zA-Z]{34}))(?!\w)
infracost-api-token	3	ico-	\b(ico-[a-zA-Z0-9]{32})(?!\w)
intercom-api-key	0	intercom	(?:[iI][nN][tT][eE][rR][cC][oO][mM])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{60})(?:[\x60'"\s;]|\\[nNrR]|$)
intra42-client-secret	3	intra,s-s4t2ud-,s-s4t2af-	\b(s-s4t2(?:ud|af)-[aAbBcCdDeEfF0123456789]{64})(?!\w)
jfrog-api-key	0	jfrog,artifactory,bintray,xray	(?:[jJ][fF][rR][oO][gG]|[aA][rR][tT][iI][fF][aA][cC][tT][oO][rR][yY]|[bB][iI][nN][tT][rR][aA][yY]|[xX][rR][aA][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{73})(?:[\x60'"\s;]|\\[nNrR]|$)
jfrog-identity-token	0	jfrog,artifactory,bintray,xray	(?:[jJ][fF][rR][oO][gG]|[aA][rR][tT][iI][fF][aA][cC][tT][oO][rR][yY]|[bB][iI][nN][tT][rR][aA][yY]|[xX][rR][aA][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
jwt	3	ey	\b(ey[a-zA-Z0-9]{17,}\.ey[a-zA-Z0-9\/\\_-]{17,}\.(?:[a-zA-Z0-9\/\\_-]{10,}={0,2})?)(?!\w)
jwt-base64	2	zxlk	\bZXlK(?:(?:aGJHY2lPaU)|(?:aGNIVWlPaU)|(?:aGNIWWlPaU)|(?:aGRXUWlPaU)|(?:aU5qUWlP)|(?:amNtbDBJanBi)|(?:amRIa2lPaU)|(?:bGNHc2lPbn)|(?:bGJtTWlPaU)|(?:cWEzVWlPaU)|(?:cWQyc2lPb)|(?:cGMzTWlPaU)|(?:cGRpSTZJ)|(?:cmFXUWlP)|(?:clpYbGZiM0J6SWpwY)|(?:cmRIa2lPaUp)|(?:dWIyNWpaU0k2)|(?:d01tTWlP)|(?:d01uTWlPaU)|(?:d2NIUWlPaU)|(?:emRXSWlPaU)|(?:emRuUWlP)|(?:MFlXY2lPaU)|(?:MGVYQWlPaUp)|(?:MWNtd2l)|(?:MWMyVWlPaUp)|(?:MlpYSWlPaU)|(?:MlpYSnphVzl1SWpv)|(?:NElqb2)|(?:NE5XTWlP)|(?:NE5YUWlPaU)|(?:NE5YUWpVekkxTmlJNkl)|(?:NE5YVWlPaU)|(?:NmFYQWlPaU))[a-zA-Z0-9\/\\_+\-\r\n]{40,}={0,2}
kraken-access-token	0	kraken	(?:[kK][rR][aA][kK][eE][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9\/=_\+\-]{80,90})(?:[\x60'"\s;]|\\[nNrR]|$)
kucoin-access-token	0	kucoin	(?:[kK][uU][cC][oO][iI][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{24})(?:[\x60'"\s;]|\\[nNrR]|$)
kucoin-secret-key	0	kucoin	(?:[kK][uU][cC][oO][iI][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
launchdarkly-access-token	0	launchdarkly	(?:[lL][aA][uU][nN][cC][hH][dD][aA][rR][kK][lL][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
linear-api-key	2	lin_api_	lin_api_[a-zA-Z0-9]{40}
linear-client-secret	2	linear	(?:[lL][iI][nN][eE][aA][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
linkedin-client-id	2	linkedin,linked_in,linked-in	(?:[lL][iI][nN][kK][eE][dD][_-]?[iI][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{14})(?:[\x60'"\s;]|\\[nNrR]|$)
linkedin-client-secret	2	linkedin,linked_in,linked-in	(?:[lL][iI][nN][kK][eE][dD][_-]?[iI][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{16})(?:[\x60'"\s;]|\\[nNrR]|$)
lob-api-key	0	test_,live_	(?:[lL][oO][bB])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(([lL][iI][vV][eE]|[tT][eE][sS][tT])_[a-fA-F0-9]{35})(?:[\x60'"\s;]|\\[nNrR]|$)
lob-pub-api-key	0	test_pub,live_pub,_pub	(?:[lL][oO][bB])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(([tT][eE][sS][tT]|[lL][iI][vV][eE])_[pP][uU][bB]_[a-fA-F0-9]{31})(?:[\x60'"\s;]|\\[nNrR]|$)
looker-client-id	0	looker	(?:[lL][oO][oO][kK][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{20})(?:[\x60'"\s;]|\\[nNrR]|$)
looker-client-secret	0	looker	(?:[lL][oO][oO][kK][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{24})(?:[\x60'"\s;]|\\[nNrR]|$)
mailchimp-api-key	0	mailchimp	(?:[Mm][aA][iI][lL][cC][hH][iI][mM][pP][Ss][Dd][Kk].[iI][nN][iI][tT][iI][aA][lL][iI][zZ][eE]|[mM][aA][iI][lL][cC][hH][iI][mM][pP])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{32}-[uU][sS]\d\d)(?:[\x60'"\s;]|\\[nNrR]|$)
mailgun-private-api-token	0	mailgun	(?:[mM][aA][iI][lL][gG][uU][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([kK][eE][yY]-[a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
mailgun-pub-key	0	mailgun	(?:[mM][aA][iI][lL][gG][uU][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([pP][uU][bB][kK][eE][yY]-[a-fA-F0-9]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
mailgun-signing-key	0	mailgun	(?:[mM][aA][iI][lL][gG][uU][nN])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-hA-H0-9]{32}-[a-hA-H0-9]{8}-[a-hA-H0-9]{8})(?:[\x60'"\s;]|\\[nNrR]|$)
mapbox-api-token	0	mapbox	(?:[mM][aA][pP][bB][oO][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([pP][kK]\.[a-zA-Z0-9]{60}\.[a-zA-Z0-9]{22})(?:[\x60'"\s;]|\\[nNrR]|$)
mattermost-access-token	0	mattermost	(?:[mM][aA][tT][tT][eE][rR][mM][oO][sS][tT])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{26})(?:[\x60'"\s;]|\\[nNrR]|$)
maxmind-license-key	4	_mmk	\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?!\w)
messagebird-api-token	0	messagebird,message-bird,message_bird	(?:[mM][eE][sS][sS][aA][gG][eE][_-]?[bB][iI][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{25})(?:[\x60'"\s;]|\\[nNrR]|$)
messagebird-client-id	0	messagebird,message-bird,message_bird	(?:[mM][eE][sS][sS][aA][gG][eE][_-]?[bB][iI][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
microsoft-teams-webhook	0	webhook.office.com,webhookb2,incomingwebhook	https:\/\/[a-z0-9]+\.webhook\.office\.com\/webhookb2\/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}
netlify-access-token	0	netlify	(?:[nN][eE][tT][lL][iI][fF][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{40,46})(?:[\x60'"\s;]|\\[nNrR]|$)
new-relic-browser-api-token	0	nrjs-	(?:[nN][eE][wW]-[rR][eE][lL][iI][cC]|[nN][eE][wW][rR][eE][lL][iI][cC]|[nN][eE][wW]_[rR][eE][lL][iI][cC])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Nn][Rr][Jj][Ss]-[a-fA-F0-9]{19})(?:[\x60'"\s;]|\\[nNrR]|$)
new-relic-insert-key	0	nrii-	(?:[nN][eE][wW]-[rR][eE][lL][iI][cC]|[nN][eE][wW][rR][eE][lL][iI][cC]|[nN][eE][wW]_[rR][eE][lL][iI][cC])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Nn][Rr][Ii][Ii]-[a-zA-Z0-9-]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
new-relic-user-api-id	0	new-relic,newrelic,new_relic	(?:[nN][eE][wW]-[rR][eE][lL][iI][cC]|[nN][eE][wW][rR][eE][lL][iI][cC]|[nN][eE][wW]_[rR][eE][lL][iI][cC])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
new-relic-user-api-key	0	nrak	(?:[nN][eE][wW]-[rR][eE][lL][iI][cC]|[nN][eE][wW][rR][eE][lL][iI][cC]|[nN][eE][wW]_[rR][eE][lL][iI][cC])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Nn][Rr][Aa][Kk]-[a-zA-Z0-9]{27})(?:[\x60'"\s;]|\\[nNrR]|$)
notion-api-token	4	ntn_	\b(ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})(?!\w)
npm-access-token	2	npm_	\b([nN][pP][mM]_[a-zA-Z0-9]{36})(?!\w)
nuget-config-password	1	<add key=	<[aA][dD][dD] [kK][eE][yY]=\"(?:(?:[Cc][lL][eE][aA][rR][Tt][eE][xX][tT])?[Pp][aA][sS][sS][wW][oO][rR][dD])\"\s*[vV][aA][lL][uU][eE]=\"(.{8,})\"\s*\/>
nytimes-access-token	0	nytimes,new-york-times,newyorktimes	(?:[nN][yY][tT][iI][mM][eE][sS]|[nN][eE][wW]-[yY][oO][rR][kK]-[tT][iI][mM][eE][sS],|[nN][eE][wW][yY][oO][rR][kK][tT][iI][mM][eE][sS])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9=_\-]{32})(?:[\x60'"\s;]|\\[nNrR]|$)
octopus-deploy-api-key	3	api-	\b(API-[A-Z0-9]{26})(?!\w)
okta-access-token	4	okta	(?:(?:(?:[Oo]kta|OKTA))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(00[\w=\-]{40})(?:[\x60'"\s;]|\\[nr]|$)
openai-api-key	3	t3blbkfj	\b(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?!\w)
openshift-user-token	3.5	sha256~	\b(sha256~[\w-]{43})(?:[^\w-]|(?![\s\S]))
perplexity-api-key	4	pplx-	\b(pplx-[a-zA-Z0-9]{48})(?:[\x60'"\s;]|\\[nr]|$|\b)
plaid-api-token	0	plaid	(?:[pP][lL][aA][iI][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([aA][cC][cC][eE][sS][sS]-(?:[sS][aA][nN][dD][bB][oO][xX]|[dD][eE][vV][eE][lL][oO][pP][mM][eE][nN][tT]|[pP][rR][oO][dD][uU][cC][tT][iI][oO][nN])-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
plaid-client-id	3.5	plaid	(?:[pP][lL][aA][iI][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{24})(?:[\x60'"\s;]|\\[nNrR]|$)
plaid-secret-key	3.5	plaid	(?:[pP][lL][aA][iI][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{30})(?:[\x60'"\s;]|\\[nNrR]|$)
planetscale-api-token	3	pscale_tkn_	\b(pscale_tkn_[\w=\.-]{32,64})(?!\w)
planetscale-oauth-token	3	pscale_oauth_	\b(pscale_oauth_[\w=\.-]{32,64})(?!\w)
planetscale-password	3	pscale_pw_	\b([pP][sS][cC][aA][lL][eE]_[pP][wW]_[\w=\.-]{32,64})(?!\w)
postman-api-token	3	pmak-	\b(PMAK-[a-fA-F0-9]{24}\-[a-fA-F0-9]{34})(?!\w)
prefect-api-token	2	pnu_	\b(pnu_[a-zA-Z0-9]{36})(?!\w)
privateai-api-token	3	privateai,private_ai,private-ai	(?:(?:[pP][rR][iI][vV][aA][tT][eE][_-]?[aA][iI])(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-z0-9]{32})(?:[\x60'"\s;]|\\[nr]|$)
pulumi-api-token	2	pul-	\b(pul-[a-f0-9]{40})(?!\w)
pypi-upload-token	3	pypi-ageichlwas5vcmc	pypi-AgEIcHlwaS5vcmc[\w-]{50,1000}
rapidapi-access-token	0	rapidapi	(?:[rR][aA][pP][iI][dD][aA][pP][iI])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9_-]{50})(?:[\x60'"\s;]|\\[nNrR]|$)
readme-api-token	2	rdme_	\b(rdme_[a-z0-9]{70})(?!\w)
rubygems-api-token	2	rubygems_	\b(rubygems_[a-f0-9]{48})(?!\w)
scalingo-api-token	2	tk-us-	\b(tk-us-[\w-]{48})(?!\w)
sendbird-access-id	0	sendbird	(?:[sS][eE][nN][dD][bB][iI][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
sendbird-access-token	0	sendbird	(?:[sS][eE][nN][dD][bB][iI][rR][dD])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
sendgrid-api-token	2	sg.	\b(SG\.[a-zA-Z0-9=_\-\.]{66})(?!\w)
sendinblue-api-token	2	xkeysib-	\b(xkeysib-[a-f0-9]{64}\-[a-zA-Z0-9]{16})(?!\w)
sentry-access-token	3	sentry	(?:[sS][eE][nN][tT][rR][yY])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
sentry-org-token	4.5	sntrys_eyjpyxqio	\bsntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43}(?:[^a-zA-Z0-9+/]|(?![\s\S]))
sentry-user-token	3.5	sntryu_	\b(sntryu_[a-f0-9]{64})(?!\w)
settlemint-application-access-token	3	sm_aat	\b(sm_aat_[a-zA-Z0-9]{16})(?!\w)
settlemint-personal-access-token	3	sm_pat	\b(sm_pat_[a-zA-Z0-9]{16})(?!\w)
settlemint-service-access-token	3	sm_sat	\b(sm_sat_[a-zA-Z0-9]{16})(?!\w)
shippo-api-token	2	shippo_	\b(shippo_(?:live|test)_[a-fA-F0-9]{40})(?!\w)
shopify-access-token	2	shpat_	shpat_[a-fA-F0-9]{32}
shopify-custom-access-token	2	shpca_	shpca_[a-fA-F0-9]{32}
shopify-private-app-access-token	2	shppa_	shppa_[a-fA-F0-9]{32}
shopify-shared-secret	2	shpss_	shpss_[a-fA-F0-9]{32}
sidekiq-secret	0	bundle_enterprise__contribsys__com,bundle_gems__contribsys__com	(?:[Bb][Uu][Nn][Dd][Ll][Ee]_[Ee][Nn][Tt][Ee][Rr][Pp][Rr][Ii][Ss][Ee]__[Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss]__[Cc][Oo][Mm]|[Bb][Uu][Nn][Dd][Ll][Ee]_[Gg][Ee][Mm][Ss]__[Cc][Oo][Nn][Tt][Rr][Ii][Bb][Ss][Yy][Ss]__[Cc][Oo][Mm])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-fA-F0-9]{8}:[a-fA-F0-9]{8})(?:[\x60'"\s;]|\\[nNrR]|$)
sidekiq-sensitive-url	0	gems.contribsys.com,enterprise.contribsys.com	\b[hH][tT][tT][pP][sS]?:\/\/([a-fA-F0-9]{8}:[a-fA-F0-9]{8})@(?:[gG][eE][mM][sS].[cC][oO][nN][tT][rR][iI][bB][sS][yY][sS].[cC][oO][mM]|[eE][nN][tT][eE][rR][pP][rR][iI][sS][eE].[cC][oO][nN][tT][rR][iI][bB][sS][yY][sS].[cC][oO][mM])(?:[\/|\#|\?|:]|$)
slack-app-token	2	xapp	[xX][aA][pP][pP]-\d-[A-Za-z0-9]+-\d+-[a-zA-Z0-9]+
slack-bot-token	3	xoxb	xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*
slack-config-access-token	2	xoxe.xoxb-,xoxe.xoxp-	[xX][oO][xX][eE].[xX][oO][xX][bBpP]-\d-[A-Za-z0-9]{163,166}
slack-config-refresh-token	2	xoxe-	[xX][oO][xX][eE]-\d-[A-Za-z0-9]{146}
slack-legacy-bot-token	2	xoxb	xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}
slack-legacy-token	2	xoxo,xoxs	xox[os]-\d+-\d+-\d+-[a-fA-F\d]+
slack-legacy-workspace-token	2	xoxa,xoxr	xox[ar]-(?:\d-)?[0-9a-zA-Z]{8,48}
slack-user-token	2	xoxp-,xoxe-	xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34}
slack-webhook-url	0	hooks.slack.com	(?:https?:\/\/)?hooks.slack.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56}
snyk-api-token	0	snyk	(?:[sS][nN][yY][kK][_.-]?(?:(?:[aA][pP][iI]|[oO][aA][uU][tT][hH])[_.-]?)?(?:[kK][eE][yY]|[tT][oO][kK][eE][nN]))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
sonar-api-token	0	sonar	(?:[sS][oO][nN][aA][rR][_.-]?([lL][oO][gG][iI][nN]|[tT][oO][kK][eE][nN]))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}((?:[sS][qQ][uU]_|[sS][qQ][pP]_|[sS][qQ][aA]_)?[a-zA-Z0-9=_\-]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
sourcegraph-access-token	3	sgp_,sourcegraph	\b(\b([sS][gG][pP]_(?:[a-fA-FA-Fa-f0-9]{16}|[lL][oO][cC][aA][lL])_[a-fA-FA-Fa-f0-9]{40}|[sS][gG][pP]_[a-fA-FA-Fa-f0-9]{40}|[a-fA-FA-Fa-f0-9]{40})\b)(?!\w)
square-access-token	2	sq0atp-,eaaa	\b((?:EAAA|sq0atp-)[\w-]{22,60})(?!\w)
squarespace-access-token	0	squarespace	(?:[sS][qQ][uU][aA][rR][eE][sS][pP][aA][cC][eE])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})(?:[\x60'"\s;]|\\[nNrR]|$)
stripe-access-token	2	sk_test,sk_live,sk_prod,rk_test,rk_live,rk_prod	\b((?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})(?!\w)
sumologic-access-id	3	sumo	(?:(?:(?:[Ss]umo|SUMO))(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(su[a-zA-Z0-9]{12})(?:[\x60'"\s;]|\\[nr]|$)
sumologic-access-token	3	sumo	(?:(?:[Ss]umo|SUMO))(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{64})(?:[\x60'"\s;]|\\[nNrR]|$)
telegram-bot-api-token	0	telegr	(?:[tT][eE][lL][eE][gG][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9]{5,16}:(?:A)[a-zA-Z0-9_\-]{34})(?:[\x60'"\s;]|\\[nNrR]|$)
travisci-access-token	0	travis	(?:[tT][rR][aA][vV][iI][sS])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{22})(?:[\x60'"\s;]|\\[nNrR]|$)
twilio-api-key	3	sk	SK[0-9a-fA-F]{32}
twitch-api-token	0	twitch	(?:[tT][wW][iI][tT][cC][hH])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{30})(?:[\x60'"\s;]|\\[nNrR]|$)
twitter-access-secret	0	twitter	(?:[tT][wW][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{45})(?:[\x60'"\s;]|\\[nNrR]|$)
twitter-access-token	0	twitter	(?:[tT][wW][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([0-9]{15,25}-[a-zA-ZA-Za-z0-9]{20,40})(?:[\x60'"\s;]|\\[nNrR]|$)
twitter-api-key	0	twitter	(?:[tT][wW][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{25})(?:[\x60'"\s;]|\\[nNrR]|$)
twitter-api-secret	0	twitter	(?:[tT][wW][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{50})(?:[\x60'"\s;]|\\[nNrR]|$)
twitter-bearer-token	0	twitter	(?:[tT][wW][iI][tT][tT][eE][rR])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Aa]{22}[a-zA-ZA-Za-z0-9%]{80,100})(?:[\x60'"\s;]|\\[nNrR]|$)
typeform-api-token	0	tfp_	(?:[tT][yY][pP][eE][fF][oO][rR][mM])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([tT][fF][pP]_[a-zA-Z0-9\-_\.=]{59})(?:[\x60'"\s;]|\\[nNrR]|$)
vault-batch-token	4	hvb.	\b(hvb\.[\w-]{138,300})(?!\w)
vault-service-token	3.5	hvs.,s.	\b((?:hvs\.[\w-]{90,120}|s\.(?:[a-zA-Z0-9]{24})))(?!\w)
yandex-access-token	0	yandex	(?:[yY][aA][nN][dD][eE][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([tT]1\.[A-Za-z0-9a-zA-Z_-]+[=]{0,2}\.[A-Za-z0-9a-zA-Z_-]{86}[=]{0,2})(?:[\x60'"\s;]|\\[nNrR]|$)
yandex-api-key	0	yandex	(?:[yY][aA][nN][dD][eE][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Aa][Qq][Vv][Nn][A-Za-za-zA-Z0-9_\-]{35,38})(?:[\x60'"\s;]|\\[nNrR]|$)
yandex-aws-access-token	0	yandex	(?:[yY][aA][nN][dD][eE][xX])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([Yy][Cc][a-zA-ZA-Za-z0-9_\-]{38})(?:[\x60'"\s;]|\\[nNrR]|$)
zendesk-secret-key	0	zendesk	(?:[zZ][eE][nN][dD][eE][sS][kK])(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-zA-Z0-9]{40})(?:[\x60'"\s;]|\\[nNrR]|$)
`;
