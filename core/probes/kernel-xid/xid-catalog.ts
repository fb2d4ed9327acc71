/**
 * Meanings of Xid codes after NVIDIA's Xid catalog (docs.nvidia.com/deploy/xid-errors, "Analyzing Xid Errors with the Xid
 * Catalog"). Only codes whose immediate action there is to reset the GPU, to restart the machine or to check the hardware are
 * faults: most others are answers to a program's mistake and appear by the thousand on healthy machines.
 */
export interface XidMeaning {
  title: string;
  isFault: boolean;
}

const FAULTS: Readonly<Record<number, string>> = {
  46: 'the GPU stopped processing',
  48: 'uncorrectable memory error',
  54: 'auxiliary power is not connected',
  62: 'internal micro-controller halt',
  64: 'memory remapping failed',
  74: 'NVLink error',
  79: 'the GPU has fallen off the bus',
  95: 'uncontained memory error',
  109: 'context switch timeout',
  110: 'security fault',
  119: 'GSP RPC timeout',
  120: 'GSP error',
  136: 'link training failed',
  140: 'unrecovered ECC error',
  143: 'GPU initialization error',
  151: 'key rotation error',
  156: 'resource retirement',
  158: 'fatal GPU timeout',
  167: 'fatal PCIe timeout',
  169: 'internal micro-controller halt',
  171: 'uncorrectable DRAM error',
  172: 'uncorrectable SRAM error',
};

const REMARKS: Readonly<Record<number, string>> = {
  8: 'the GPU stopped processing a channel',
  13: 'graphics engine exception, usually of a program',
  31: 'GPU memory page fault, usually of a program',
  32: 'invalid push buffer stream',
  43: 'a program was stopped by the GPU',
  45: 'preemptive cleanup after another error',
  63: 'memory remapping event',
  68: 'video decoder exception',
  69: 'graphics engine class error',
  92: 'high rate of corrected memory errors',
  93: 'infoROM wear limit',
  94: 'contained memory error',
  121: 'corrected C2C errors',
  137: 'NVLink privilege error, usually of a program',
  155: 'NVLink went down on purpose or by software',
  157: 'resource retirement failed',
  160: 'channel retirement',
  161: 'channel retirement failed',
  168: 'reduced memory capacity',
};

/** 144 to 150 are the NVLink 5 units; their text says whether the event is fatal. */
const isNvlink5 = (code: number): boolean => code >= 144 && code <= 150;
const RECOVERY_ACTION_CHANGED = 154;

/** `text` is what stands behind the code. */
export function xidMeaning(code: number, text: string): XidMeaning {
  if (isNvlink5(code)) return { title: 'NVLink error', isFault: !/\bnon-?fatal\b/i.test(text) };
  if (code === RECOVERY_ACTION_CHANGED) {
    const action = /\bto 0x[0-9a-f]+ \(([^)]*)\)/i.exec(text)?.[1];
    return { title: `recovery action changed to "${action ?? 'unknown'}"`, isFault: action === undefined || !/^none$/i.test(action) };
  }
  const fault = FAULTS[code];
  if (fault !== undefined) return { title: fault, isFault: true };
  return { title: REMARKS[code] ?? 'see the Xid catalog', isFault: false };
}
