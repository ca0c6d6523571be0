/** Every code of an EmulatorError; stable between releases. */
export type EmulatorErrorCode =
  | 'BAD_AUTOMATION'
  | 'BAD_RECORDING'
  | 'BAD_SEED'
  | 'DISCONNECTED'
  | 'DOCKER'
  | 'EMULATOR_STOPPED'
  | 'FIRMWARE_CRASH'
  | 'FIRMWARE_MISSING'
  | 'LISTEN_FAILED'
  | 'NO_REVIEW'
  | 'PANEL_MISSING'
  | 'PORT_IN_USE'
  | 'RECORD_DURING_REVIEW'
  | 'REPLAY_MISMATCH'
  | 'REVIEW_MISMATCH'
  | 'SNAPSHOT_MISMATCH';
