// Types of the channel for hosts of ours that are bundled.

interface Channel {
  /** Blocking: what was said before a crash arrives. */
  readonly send: (message: object) => void;
}

declare const reporterChannel: {
  /** Undefined where Testmend did not start the process. */
  readonly openChannel: () => Channel | undefined;
  readonly endWithParent: () => void;
};
export = reporterChannel;
