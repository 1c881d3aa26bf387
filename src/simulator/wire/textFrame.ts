const FINAL_TEXT = 0x81;
/** Lengths up to this stand in the second byte of a frame; two marks say in how many bytes longer ones follow. */
const LONGEST_SHORT = 125;
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/**
 * Returns a text as one whole WebSocket frame of a server, without a mask and without compression. Header and payload
 * are one buffer, so that thousands of frames a second are not copied on their way to the socket.
 * https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length <= LONGEST_SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FINAL_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = IN_TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = IN_EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  // Nearly all texts are ASCII, which has the same bytes in both encodings and is written faster in this one.
  frame.write(text, start, length === text.length ? "latin1" : "utf8");
  return frame;
}
