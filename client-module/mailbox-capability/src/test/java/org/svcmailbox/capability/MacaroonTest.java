package org.svcmailbox.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MacaroonTest {
  private static final long SEED = Long.getLong("mailbox.seed", System.nanoTime());
  private static final RootKey KEY = RootKey.of("secret".getBytes(UTF_8));
  private static final byte[] ID = "mb1:k1:00112233445566778899aabbccddeeff".getBytes(UTF_8);

  private final Random random = new Random(SEED);

  /** The values of the tutorial in libmacaroons. */
  @Test
  void theTutorialsSignaturesComeOut() {
    RootKey key =
        RootKey.of("this is our super secret key; only we should know it".getBytes(UTF_8));
    Macaroon macaroon =
        Macaroon.mint(key, "http://mybank/", "we used our secret key".getBytes(UTF_8));
    assertSignature("e3d9e02908526c4c0039ae15114115d97fdd68bf2ba379b342aaf0f617d0552f", macaroon);
    macaroon = macaroon.narrowedBy("account = 3735928559");
    assertSignature("1efe4763f290dbce0c1d08477367e11f4eee456a64933cf662d79772dbb82128", macaroon);
    macaroon = macaroon.narrowedBy("time < 2020-01-01T00:00");
    assertSignature("b5f06c8c8ef92f6c82c6ff282cd1f8bd1849301d09a2db634ba182536a611c49", macaroon);
    macaroon = macaroon.narrowedBy("email = alice@example.org");
    assertSignature("ddf553e46083e55b8d71ab822be3d8fcf21d6bf19c40d617bb9fb438934474b6", macaroon);
    assertTrue(macaroon.isMintedWith(key));
  }

  private static void assertSignature(String expected, Macaroon macaroon) {
    assertEquals(expected, HexFormat.of().formatHex(macaroon.signature()));
  }

  @Test
  void aTokenIsReadBack() {
    Macaroon macaroon = some(5);
    Macaroon read = Macaroon.parse(macaroon.token());
    assertEquals("mailbox", read.location());
    assertEquals(macaroon.caveats(), read.caveats());
    assertEquals(macaroon.token(), read.token());
    assertTrue(Arrays.equals(ID, read.identifier()));
    assertTrue(read.isMintedWith(KEY));
  }

  @Test
  void anotherKeyIsNotItsKey() {
    assertFalse(some(2).isMintedWith(RootKey.of("Secret".getBytes(UTF_8))));
  }

  @Test
  void whoeverHoldsOneCanNarrowItWithoutTheKey() {
    Macaroon narrowed = Macaroon.parse(some(1).token()).narrowedBy("ops = recv");
    assertTrue(Macaroon.parse(narrowed.token()).isMintedWith(KEY));
    assertEquals(List.of("caveat 0", "ops = recv"), narrowed.caveats());
  }

  @Test
  void caveatsCanNeitherBeRemovedNorReorderedNorRepeatedNorChanged() {
    for (int round = 0; round < 300; round++) {
      int count = 2 + random.nextInt(8);
      Macaroon macaroon = some(count);
      List<String> forged = new ArrayList<>(macaroon.caveats());
      int at = random.nextInt(count);
      switch (random.nextInt(4)) {
        case 0 -> forged.remove(at);
        case 1 -> forged.add(random.nextInt(count + 1), forged.get(at));
        case 2 -> forged.add(forged.remove(at).isEmpty() ? 0 : (at + 1) % count, "caveat " + at);
        default -> forged.set(at, forged.get(at) + "x");
      }
      if (!forged.equals(macaroon.caveats())) {
        Macaroon forgery = new Macaroon("mailbox", ID, forged, macaroon.signature());
        assertFalse(forgery.isMintedWith(KEY), () -> "seed " + SEED + ": " + forged);
      }
    }
  }

  @Test
  void anyBitOfAnIdentifierACaveatOrTheSignatureCounts() {
    Macaroon macaroon = some(3);
    byte[] whole = MacaroonFormat.write(macaroon);
    for (int i = 0; i < whole.length * Byte.SIZE; i++) {
      byte[] flipped = whole.clone();
      flipped[i / Byte.SIZE] ^= (byte) (1 << i % Byte.SIZE);
      try {
        Macaroon read = MacaroonFormat.read(flipped);
        // The location is an unsigned hint.
        boolean same =
            Arrays.equals(ID, read.identifier())
                && read.caveats().equals(macaroon.caveats())
                && Arrays.equals(read.signature(), macaroon.signature());
        assertEquals(same, read.isMintedWith(KEY), "bit " + i);
      } catch (MalformedCapabilityException e) {
        // Refused before it was judged.
      }
    }
  }

  @Test
  void sizesAreBounded() {
    Macaroon most = some(Macaroon.MOST_CAVEATS);
    assertTrue(Macaroon.parse(most.token()).isMintedWith(KEY));
    assertThrows(IllegalArgumentException.class, () -> most.narrowedBy("one more"));
    assertThrows(IllegalArgumentException.class, () -> some(0).narrowedBy(""));
    Macaroon tooMany = withCaveats(Macaroon.MOST_CAVEATS + 1, 8);
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(tooMany.token()));
    Macaroon tooLong = withCaveats(2, Macaroon.MOST_CHARACTERS);
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(tooLong.token()));
  }

  private static Macaroon withCaveats(int count, int length) {
    List<String> caveats = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      caveats.add("c".repeat(length));
    }
    return new Macaroon("mailbox", ID, caveats, new byte[32]);
  }

  @Test
  void oneMacaroonHasOneText() {
    String token = some(1).token();
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(token + "="));
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(" " + token));
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(token + "A"));
    byte[] longLength = HexFormat.of().parseHex("02" + "02" + "8100" + "41" + "00" + "00" + "0620");
    byte[] whole = Arrays.copyOf(longLength, longLength.length + 32);
    assertEquals(1, MacaroonFormat.read(whole).identifier().length);
    String spelled = Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(spelled));
  }

  @Test
  void thirdPartyCaveatsAndOtherVersionsAreRefused() {
    String withVid = "02" + "020141" + "00" + "020142" + "040143" + "00" + "00" + "0620";
    for (String hex : List.of(withVid, "01020141000006", "", "02", "0202", "020141")) {
      byte[] start = HexFormat.of().parseHex(hex);
      byte[] whole = Arrays.copyOf(start, start.length + 32);
      assertThrows(MalformedCapabilityException.class, () -> MacaroonFormat.read(whole), hex);
    }
  }

  @Test
  void whateverComesInIsReadOrRefused() {
    byte[] whole = MacaroonFormat.write(some(3));
    int read = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = random.nextBoolean() ? noise() : damaged(whole);
      try {
        MacaroonFormat.read(bytes);
        read++;
      } catch (MalformedCapabilityException e) {
        // The only exception allowed.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + SEED, e);
      }
      try {
        Macaroon.parse(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
      } catch (MalformedCapabilityException e) {
        // The same for texts.
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + SEED, e);
      }
    }
    assertTrue(read > 0, "seed " + SEED + ": nothing got through, so nothing was tried");
  }

  private byte[] noise() {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] damaged(byte[] whole) {
    byte[] bytes = Arrays.copyOf(whole, whole.length - random.nextInt(3) * random.nextInt(20));
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  @Test
  void nothingSecretIsShown() {
    Macaroon macaroon = some(2);
    String signature = HexFormat.of().formatHex(macaroon.signature());
    assertEquals("Macaroon[caveats=[caveat 0, caveat 1]]", macaroon.toString());
    assertEquals("RootKey[secret]", KEY.toString());
    MalformedCapabilityException refused =
        assertThrows(
            MalformedCapabilityException.class, () -> Macaroon.parse(macaroon.token() + "!"));
    assertFalse(refused.toString().contains(macaroon.token()));
    assertFalse(macaroon.toString().contains(signature));
  }

  private static Macaroon some(int caveats) {
    Macaroon macaroon = Macaroon.mint(KEY, "mailbox", ID);
    for (int i = 0; i < caveats; i++) {
      macaroon = macaroon.narrowedBy("caveat " + i);
    }
    return macaroon;
  }
}
