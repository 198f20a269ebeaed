package org.svcmailbox.core.envelope;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One BLAKE3-256 computation with the framing that {@code hash_chain} and the ledger share: each
 * text is preceded by its length in UTF-8 bytes, four bytes big-endian. One use, one thread.
 *
 * <p>Our own, because a SEND hashes its payload and three small texts, and this takes a third of
 * the time that the libraries take (ADR 22); the tests hold it against one of them and against the
 * published vectors.
 */
public final class Blake3 {
  private static final int BLOCK = Blake3Compression.BLOCK;
  private static final int CHUNK = 1024;

  /** Chunks are joined two by two: for 2^54 of them, one value is kept at each height. */
  private static final int MOST_HEIGHT = 54;

  private static final byte[] SEPARATOR = {0};

  private final byte[] block = new byte[BLOCK];
  private int filled;
  private int[] chunk = Blake3Compression.start();
  private int blocks;
  private long chunks;
  // Few messages have more than one chunk.
  private int[][] subtrees = {};

  private Blake3() {}

  /** Begins a hash of a domain: its ASCII name and one zero byte. */
  public static Blake3 domain(String name) {
    Blake3 hash = new Blake3();
    hash.bytes(name.getBytes(StandardCharsets.US_ASCII));
    hash.bytes(SEPARATOR);
    return hash;
  }

  /** The digest of bare bytes, without a domain or a length. */
  public static Digest of(byte[] bytes) {
    Blake3 hash = new Blake3();
    hash.bytes(bytes);
    return hash.finish();
  }

  /** Adds raw bytes. */
  public Blake3 bytes(byte[] bytes) {
    int from = 0;
    while (from < bytes.length) {
      if (filled == BLOCK) {
        compressBlock(block, 0);
        filled = 0;
      }
      // The last block waits in the buffer: it is compressed otherwise than the ones before it.
      if (filled == 0 && bytes.length - from > BLOCK) {
        compressBlock(bytes, from);
        from += BLOCK;
      } else {
        from += fill(bytes, from);
      }
    }
    return this;
  }

  private int fill(byte[] bytes, int from) {
    int some = Math.min(BLOCK - filled, bytes.length - from);
    System.arraycopy(bytes, from, block, filled, some);
    filled += some;
    return some;
  }

  /** Compresses a block that others follow. */
  private void compressBlock(byte[] bytes, int at) {
    int flags = startFlag();
    boolean isLastOfChunk = blocks == CHUNK / BLOCK - 1;
    if (isLastOfChunk) {
      flags |= Blake3Compression.CHUNK_END;
    }
    Blake3Compression.compress(chunk, bytes, at, chunks, BLOCK, flags);
    blocks++;
    if (isLastOfChunk) {
      endChunk();
    }
  }

  private int startFlag() {
    return blocks == 0 ? Blake3Compression.CHUNK_START : 0;
  }

  private void endChunk() {
    if (subtrees.length == 0) {
      subtrees = new int[MOST_HEIGHT][];
    }
    chunks++;
    int height = Long.numberOfTrailingZeros(chunks);
    int[] value = chunk;
    for (int i = 0; i < height; i++) {
      value = parent(subtrees[i], value, 0);
    }
    subtrees[height] = value;
    chunk = Blake3Compression.start();
    blocks = 0;
  }

  private static int[] parent(int[] left, int[] right, int flags) {
    byte[] both = new byte[BLOCK];
    Blake3Compression.write(left, both, 0);
    Blake3Compression.write(right, both, Digest.BYTES);
    int[] value = Blake3Compression.start();
    Blake3Compression.compress(value, both, 0, 0, BLOCK, Blake3Compression.PARENT | flags);
    return value;
  }

  /** Adds a digest's 32 bytes. */
  public Blake3 digest(Digest other) {
    other.update(this);
    return this;
  }

  /** Adds a text with its length. */
  public Blake3 text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return count(utf8.length).bytes(utf8);
  }

  /** Adds a four-byte big-endian number. */
  public Blake3 count(int number) {
    return bytes(
        new byte[] {
          (byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number
        });
  }

  /** Ends the computation. */
  public Digest finish() {
    Arrays.fill(block, filled, BLOCK, (byte) 0);
    int last = Blake3Compression.CHUNK_END | startFlag();
    int root = chunks == 0 ? Blake3Compression.ROOT : 0;
    Blake3Compression.compress(chunk, block, 0, chunks, filled, last | root);
    byte[] out = new byte[Digest.BYTES];
    Blake3Compression.write(chunks == 0 ? chunk : join(chunk), out, 0);
    return Digest.owning(out);
  }

  /** The root over the last chunk and the subtrees before it. */
  private int[] join(int[] last) {
    int[] value = last;
    for (long left = chunks; left != 0; left &= left - 1) {
      boolean isTop = (left & (left - 1)) == 0;
      int height = Long.numberOfTrailingZeros(left);
      value = parent(subtrees[height], value, isTop ? Blake3Compression.ROOT : 0);
    }
    return value;
  }
}
