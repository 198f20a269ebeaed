package org.svcmailbox.core.envelope;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * BLAKE3-256 that reuses its arrays for every block. For one use by one thread.
 *
 * <p>Names and numbers are those of the BLAKE3 paper, sections 2.2 to 2.6. Rounds stay loops over
 * one array: a version with sixteen local variables gave wrong digests in a warm server (ADR 22).
 */
final class Blake3Hasher {
  private static final int BLOCK = 64;
  private static final int BLOCKS_OF_CHUNK = 16;
  private static final int ROUNDS = 7;

  private static final int CHUNK_START = 1;
  private static final int CHUNK_END = 1 << 1;
  private static final int PARENT = 1 << 2;
  private static final int ROOT = 1 << 3;

  private static final int[] IV = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
  };

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** The start of the next block. It is compressed when a byte follows it, or at the end. */
  private final byte[] block = new byte[BLOCK];

  private int filled;

  /** Chaining value of the current chunk. */
  private final int[] chain = IV.clone();

  private final int[] words = new int[16];
  private final int[] state = new int[16];

  /** How many blocks of the current chunk have been compressed. */
  private int blocks;

  /** How many chunks precede the current one. */
  private long chunks;

  /** Chaining values of complete subtrees, the largest first, eight words each. */
  private int[] subtrees = {};

  private int depth;

  void update(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      if (filled == BLOCK) {
        compressBlock(block, 0);
        filled = 0;
      }
      if (filled == 0 && bytes.length - at > BLOCK) {
        compressBlock(bytes, at);
        at += BLOCK;
      } else {
        int some = Math.min(BLOCK - filled, bytes.length - at);
        System.arraycopy(bytes, at, block, filled, some);
        filled += some;
        at += some;
      }
    }
  }

  /** Compresses a block that is not the input's last. */
  private void compressBlock(byte[] bytes, int from) {
    readWords(bytes, from);
    int flags = startFlag();
    blocks++;
    if (blocks < BLOCKS_OF_CHUNK) {
      compress(chunks, BLOCK, flags);
    } else {
      compress(chunks, BLOCK, flags | CHUNK_END);
      endChunk();
    }
  }

  private int startFlag() {
    return blocks == 0 ? CHUNK_START : 0;
  }

  private void readWords(byte[] bytes, int from) {
    for (int i = 0; i < words.length; i++) {
      words[i] = (int) WORDS.get(bytes, from + i * Integer.BYTES);
    }
  }

  /** Joins the chunk with as many subtrees as are of its size, then of the joined one's. */
  private void endChunk() {
    chunks++;
    for (long joined = chunks; joined % 2 == 0; joined /= 2) {
      joinLastSubtree(0);
    }
    push();
    System.arraycopy(IV, 0, chain, 0, chain.length);
    blocks = 0;
  }

  private void push() {
    if (subtrees.length == depth * chain.length) {
      subtrees = Arrays.copyOf(subtrees, Math.max(64, 2 * subtrees.length));
    }
    System.arraycopy(chain, 0, subtrees, depth * chain.length, chain.length);
    depth++;
  }

  /** Makes the chaining value that of the last subtree and the current one together. */
  private void joinLastSubtree(int flags) {
    depth--;
    System.arraycopy(subtrees, depth * chain.length, words, 0, chain.length);
    System.arraycopy(chain, 0, words, chain.length, chain.length);
    System.arraycopy(IV, 0, chain, 0, chain.length);
    compress(0, BLOCK, PARENT | flags);
  }

  /** The digest's 32 bytes. Nothing may follow. */
  byte[] finish() {
    Arrays.fill(block, filled, BLOCK, (byte) 0);
    readWords(block, 0);
    compress(chunks, filled, startFlag() | CHUNK_END | (depth == 0 ? ROOT : 0));
    while (depth > 0) {
      joinLastSubtree(depth == 1 ? ROOT : 0);
    }
    byte[] digest = new byte[Digest.BYTES];
    for (int i = 0; i < chain.length; i++) {
      WORDS.set(digest, i * Integer.BYTES, chain[i]);
    }
    return digest;
  }

  /** Replaces the chaining value by the compression of the words, and permutes these. */
  private void compress(long counter, int length, int flags) {
    int[] s = state;
    System.arraycopy(chain, 0, s, 0, 8);
    System.arraycopy(IV, 0, s, 8, 4);
    s[12] = (int) counter;
    s[13] = (int) (counter >>> 32);
    s[14] = length;
    s[15] = flags;
    for (int i = 1; i < ROUNDS; i++) {
      round(s, words);
      permute(words);
    }
    round(s, words);
    for (int i = 0; i < 8; i++) {
      chain[i] = s[i] ^ s[i + 8];
    }
  }

  /** Mixes columns, then diagonals. */
  private static void round(int[] s, int[] m) {
    mix(s, 0, 4, 8, 12, m[0], m[1]);
    mix(s, 1, 5, 9, 13, m[2], m[3]);
    mix(s, 2, 6, 10, 14, m[4], m[5]);
    mix(s, 3, 7, 11, 15, m[6], m[7]);
    mix(s, 0, 5, 10, 15, m[8], m[9]);
    mix(s, 1, 6, 11, 12, m[10], m[11]);
    mix(s, 2, 7, 8, 13, m[12], m[13]);
    mix(s, 3, 4, 9, 14, m[14], m[15]);
  }

  /** Puts word 2 in the place of word 0, word 6 in that of word 1, and so on, in two cycles. */
  private static void permute(int[] m) {
    int first = m[0];
    m[0] = m[2];
    m[2] = m[3];
    m[3] = m[10];
    m[10] = m[12];
    m[12] = m[9];
    m[9] = m[11];
    m[11] = m[5];
    m[5] = first;
    int second = m[1];
    m[1] = m[6];
    m[6] = m[4];
    m[4] = m[7];
    m[7] = m[13];
    m[13] = m[14];
    m[14] = m[15];
    m[15] = m[8];
    m[8] = second;
  }

  /** The quarter round of {@code a}, {@code b}, {@code c}, {@code d} with two words. */
  private static void mix(int[] s, int a, int b, int c, int d, int x, int y) {
    int atA = s[a] + s[b] + x;
    int atD = Integer.rotateRight(s[d] ^ atA, 16);
    int atC = s[c] + atD;
    int atB = Integer.rotateRight(s[b] ^ atC, 12);
    atA += atB + y;
    atD = Integer.rotateRight(atD ^ atA, 8);
    atC += atD;
    s[a] = atA;
    s[b] = Integer.rotateRight(atB ^ atC, 7);
    s[c] = atC;
    s[d] = atD;
  }
}
