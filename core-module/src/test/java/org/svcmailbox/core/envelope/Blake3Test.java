package org.svcmailbox.core.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Blake3Test {
  /** The input of the published vectors: 0, 1, ... 250, 0, 1, ... */
  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  /** From test_vectors.json of the reference implementation, the first 32 bytes of each hash. */
  @ParameterizedTest
  @CsvSource({
    "0, af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
    "1, 2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
    "1023, 10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11",
    "1024, 42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
    "1025, d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444",
    "2048, e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a",
    "2049, 5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030",
    "31744, 62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47",
    "102400, bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"
  })
  void itGivesThePublishedHashes(int length, String hex) {
    assertEquals(hex, HexFormat.of().formatHex(Blake3.of(counting(length)).bytes()));
  }

  @Test
  void howTheBytesComeMakesNoDifference() {
    long seed = Long.getLong("mailbox.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      byte[] bytes = new byte[random.nextInt(40_000)];
      random.nextBytes(bytes);
      Blake3 hash = Blake3.domain("d");
      int most = 1 + random.nextInt(3_000);
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + random.nextInt(most + 1));
        hash.bytes(Arrays.copyOfRange(bytes, from, to));
        from = to;
      }
      byte[] whole = new byte[2 + bytes.length];
      whole[0] = 'd';
      System.arraycopy(bytes, 0, whole, 2, bytes.length);
      assertEquals(Blake3.of(whole), hash.finish(), "seed " + seed + ", round " + round);
    }
  }

  /** Every length of up to three chunks and one block, so every fill of a block and every tree. */
  @Test
  void itAgreesWithAnotherImplementationAtEveryLength() {
    byte[] bytes = counting(3 * 1_024 + 64);
    for (int length = 0; length <= bytes.length; length++) {
      assertAgrees(Arrays.copyOf(bytes, length), () -> "");
    }
  }

  /**
   * A compiled version of an earlier hasher gave one digest for everything (ADR 22). So a night
   * hashes a hundred million inputs, {@code blake3.inputs}.
   */
  @Test
  @Tag("nightly")
  void itAgreesAfterItIsCompiledAndCompiledAgain() {
    long inputs = Long.getLong("blake3.inputs", 100_000_000);
    long seed = Long.getLong("mailbox.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i < inputs; i++) {
      // Mostly as short as keys and links, one in fifty as long as a payload.
      byte[] bytes = new byte[random.nextInt(i % 50 == 0 ? 3_000 : 150)];
      random.nextBytes(bytes);
      assertAgrees(bytes, () -> "seed " + seed);
    }
  }

  private static void assertAgrees(byte[] bytes, Supplier<String> about) {
    byte[] expected = org.apache.commons.codec.digest.Blake3.hash(bytes);
    byte[] hash = Blake3.of(bytes).bytes();
    assertTrue(
        Arrays.equals(expected, hash), () -> HexFormat.of().formatHex(bytes) + ", " + about.get());
  }
}
