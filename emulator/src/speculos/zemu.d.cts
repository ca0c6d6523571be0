// The types of the CommonJS bundle.
import type * as zemu from '../speculos/zemu.js' with { 'resolution-mode': 'import' };
export declare const attachZemu: typeof zemu.attachZemu;
export declare const stubElf: typeof zemu.stubElf;
export type AttachedEmulator = zemu.AttachedEmulator;
export type AttachOptions = zemu.AttachOptions;
