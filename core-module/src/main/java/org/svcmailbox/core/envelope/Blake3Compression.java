package org.svcmailbox.core.envelope;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The compression function of BLAKE3, as the paper has it in section 2.2, for chaining values only:
 * nobody here needs more than 32 bytes of output. Sixteen words of state and sixteen of message are
 * variables and not arrays, because that is three times as fast.
 */
final class Blake3Compression {
  /** Bytes of a block. */
  static final int BLOCK = 64;

  static final int CHUNK_START = 1;
  static final int CHUNK_END = 1 << 1;
  static final int PARENT = 1 << 2;
  static final int ROOT = 1 << 3;

  private static final int IV0 = 0x6A09E667;
  private static final int IV1 = 0xBB67AE85;
  private static final int IV2 = 0x3C6EF372;
  private static final int IV3 = 0xA54FF53A;
  private static final int IV4 = 0x510E527F;
  private static final int IV5 = 0x9B05688C;
  private static final int IV6 = 0x1F83D9AB;
  private static final int IV7 = 0x5BE0CD19;

  private static final int LAST_ROUND = 6;
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Blake3Compression() {}

  /** The chaining value that everything begins with, eight words. */
  static int[] start() {
    return new int[] {IV0, IV1, IV2, IV3, IV4, IV5, IV6, IV7};
  }

  /** The {@code number}th word of a block that begins at {@code at}. */
  private static int word(byte[] block, int at, int number) {
    return (int) WORD.get(block, at + Integer.BYTES * number);
  }

  /** Writes a chaining value's 32 bytes. */
  static void write(int[] value, byte[] to, int at) {
    for (int i = 0; i < value.length; i++) {
      WORD.set(to, at + Integer.BYTES * i, value[i]);
    }
  }

  /**
   * Compresses one block into a chaining value.
   *
   * @param value eight words, replaced by the result
   * @param block its {@link #BLOCK} bytes begin at {@code at}; those behind {@code length} are zero
   * @param counter the number of the chunk, 0 for a parent
   * @param flags what kind of block it is
   */
  static void compress(int[] value, byte[] block, int at, long counter, int length, int flags) {
    int m0 = word(block, at, 0);
    int m1 = word(block, at, 1);
    int m2 = word(block, at, 2);
    int m3 = word(block, at, 3);
    int m4 = word(block, at, 4);
    int m5 = word(block, at, 5);
    int m6 = word(block, at, 6);
    int m7 = word(block, at, 7);
    int m8 = word(block, at, 8);
    int m9 = word(block, at, 9);
    int ma = word(block, at, 10);
    int mb = word(block, at, 11);
    int mc = word(block, at, 12);
    int md = word(block, at, 13);
    int me = word(block, at, 14);
    int mf = word(block, at, 15);
    int v0 = value[0];
    int v1 = value[1];
    int v2 = value[2];
    int v3 = value[3];
    int v4 = value[4];
    int v5 = value[5];
    int v6 = value[6];
    int v7 = value[7];
    int v8 = IV0;
    int v9 = IV1;
    int va = IV2;
    int vb = IV3;
    int vc = (int) counter;
    int vd = (int) (counter >>> Integer.SIZE);
    int ve = length;
    int vf = flags;
    for (int round = 0; ; round++) {
      // The columns of the state.
      v0 += v4 + m0;
      vc = Integer.rotateRight(vc ^ v0, 16);
      v8 += vc;
      v4 = Integer.rotateRight(v4 ^ v8, 12);
      v0 += v4 + m1;
      vc = Integer.rotateRight(vc ^ v0, 8);
      v8 += vc;
      v4 = Integer.rotateRight(v4 ^ v8, 7);
      v1 += v5 + m2;
      vd = Integer.rotateRight(vd ^ v1, 16);
      v9 += vd;
      v5 = Integer.rotateRight(v5 ^ v9, 12);
      v1 += v5 + m3;
      vd = Integer.rotateRight(vd ^ v1, 8);
      v9 += vd;
      v5 = Integer.rotateRight(v5 ^ v9, 7);
      v2 += v6 + m4;
      ve = Integer.rotateRight(ve ^ v2, 16);
      va += ve;
      v6 = Integer.rotateRight(v6 ^ va, 12);
      v2 += v6 + m5;
      ve = Integer.rotateRight(ve ^ v2, 8);
      va += ve;
      v6 = Integer.rotateRight(v6 ^ va, 7);
      v3 += v7 + m6;
      vf = Integer.rotateRight(vf ^ v3, 16);
      vb += vf;
      v7 = Integer.rotateRight(v7 ^ vb, 12);
      v3 += v7 + m7;
      vf = Integer.rotateRight(vf ^ v3, 8);
      vb += vf;
      v7 = Integer.rotateRight(v7 ^ vb, 7);
      // Its diagonals.
      v0 += v5 + m8;
      vf = Integer.rotateRight(vf ^ v0, 16);
      va += vf;
      v5 = Integer.rotateRight(v5 ^ va, 12);
      v0 += v5 + m9;
      vf = Integer.rotateRight(vf ^ v0, 8);
      va += vf;
      v5 = Integer.rotateRight(v5 ^ va, 7);
      v1 += v6 + ma;
      vc = Integer.rotateRight(vc ^ v1, 16);
      vb += vc;
      v6 = Integer.rotateRight(v6 ^ vb, 12);
      v1 += v6 + mb;
      vc = Integer.rotateRight(vc ^ v1, 8);
      vb += vc;
      v6 = Integer.rotateRight(v6 ^ vb, 7);
      v2 += v7 + mc;
      vd = Integer.rotateRight(vd ^ v2, 16);
      v8 += vd;
      v7 = Integer.rotateRight(v7 ^ v8, 12);
      v2 += v7 + md;
      vd = Integer.rotateRight(vd ^ v2, 8);
      v8 += vd;
      v7 = Integer.rotateRight(v7 ^ v8, 7);
      v3 += v4 + me;
      ve = Integer.rotateRight(ve ^ v3, 16);
      v9 += ve;
      v4 = Integer.rotateRight(v4 ^ v9, 12);
      v3 += v4 + mf;
      ve = Integer.rotateRight(ve ^ v3, 8);
      v9 += ve;
      v4 = Integer.rotateRight(v4 ^ v9, 7);
      if (round == LAST_ROUND) {
        break;
      }
      // The message, permuted.
      int t0 = m2;
      int t1 = m6;
      int t2 = m3;
      int t3 = ma;
      int t4 = m7;
      int t5 = m0;
      int t6 = m4;
      int t7 = md;
      int t8 = m1;
      int t9 = mb;
      int ta = mc;
      int tb = m5;
      int tc = m9;
      int td = me;
      int te = mf;
      int tf = m8;
      m0 = t0;
      m1 = t1;
      m2 = t2;
      m3 = t3;
      m4 = t4;
      m5 = t5;
      m6 = t6;
      m7 = t7;
      m8 = t8;
      m9 = t9;
      ma = ta;
      mb = tb;
      mc = tc;
      md = td;
      me = te;
      mf = tf;
    }
    value[0] = v0 ^ v8;
    value[1] = v1 ^ v9;
    value[2] = v2 ^ va;
    value[3] = v3 ^ vb;
    value[4] = v4 ^ vc;
    value[5] = v5 ^ vd;
    value[6] = v6 ^ ve;
    value[7] = v7 ^ vf;
  }
}
