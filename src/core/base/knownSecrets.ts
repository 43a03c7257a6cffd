// Tokens and keys that are known by how they begin, with no name beside them; forms as in the rules of gitleaks (MIT), which are kept.

/** Each begins with what nothing else begins with, so that a text of any size is read once. */
export const bareSecrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  // Forges and registries
  /\bgh[pousr]_[A-Za-z0-9]{10,}/g,
  /\bgithub_pat_\w{10,}/g,
  /\bgl(?:pat|dt|rt|ptt|cbt|ft|soat)-[\w-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{20,}/g,
  /\bpypi-[\w-]{50,}/g,
  /\brubygems_[0-9a-f]{40,}/g,
  /\bATATT3[\w=-]{20,}/g,
  // Models
  /(?<![\w-])sk-[\w-]{10,}/g,
  /\bhf_[A-Za-z]{30,}/g,
  // Clouds
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bGOCSPX-[\w-]{20,}/g,
  /\bya29\.[\w-]{20,}/g,
  /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}/g,
  /\bdo[opr]_v1_[0-9a-f]{40,}/g,
  /\bdapi[0-9a-f]{32}/g,
  /\bhv[sb]\.[\w-]{20,}/g,
  /\bdp\.(?:pt|st|ct|sa|scim|audit)\.\w{30,}/g,
  // Money and shops
  /\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\bsq0(?:atp|csp)-[\w-]{20,}/g,
  /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g,
  // Messages
  /(?<![\w-])xox[abeoprs]-[\w-]{8,}/g,
  /\bxapp-\d-[\w-]{16,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]{16,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bSK[0-9a-f]{32}\b/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\b[0-9a-f]{32}-us\d{1,2}\b/g,
  /\b\d{8,10}:AA[\w-]{32,}/g,
  /\b[MN][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,}/g,
  // Tools
  /\bglsa_[A-Za-z0-9]{30,}/g,
  /\bglc_[A-Za-z0-9+/=]{30,}/g,
  /\blin_api_[A-Za-z0-9]{30,}/g,
  /\bPMAK-[0-9a-f]{20,}-[0-9a-f]{30,}/g,
  /\bNRAK-[A-Z0-9]{20,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
];
