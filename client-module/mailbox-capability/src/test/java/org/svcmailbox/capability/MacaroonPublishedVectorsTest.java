package org.svcmailbox.capability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Vectors of the binary format V2 that other implementations publish. From libmacaroons
 * (github.com/rescrv/libmacaroons at ca0211d): {@code test/unit/*_v2_*.vtest}, {@code
 * test/unit/serialization_*} and the example in {@code doc/tests.txt}. From go-macaroon
 * (github.com/go-macaroon/macaroon, branch v2 at 1679699): {@code marshal_test.go}, {@code
 * macaroon_test.go} and {@code packet-v2_test.go}.
 *
 * <p>Both write and read more than this service: other versions, base64 of any kind, caveats of
 * third parties. All of that is refused here. Every binary macaroon that go-macaroon publishes has
 * a third party's caveat, so what can be compared byte for byte is the part before it.
 */
class MacaroonPublishedVectorsTest {
  private static final String LOCATION = "http://example.org/";
  private static final String ID = "keyid";
  private static final String KEY = "this is the key";
  private static final String ACCOUNT = "account = 3735928559";
  private static final String USER = "user = alice";

  private static final String PLAIN =
      "AgETaHR0cDovL2V4YW1wbGUub3JnLwIFa2V5aWQAAAYgfN7nklEcW8b1KEhYBd_psk54XijiqZMB-dcRxgnjjvc";
  private static final String ONE_CAVEAT =
      "AgETaHR0cDovL2V4YW1wbGUub3JnLwIFa2V5aWQAAhRhY2NvdW50ID0gMzczNTkyODU1OQAABiD1SAf23G7fiL8P"
          + "cwazgiVio2JTPb9zObphdl2kvSWdhw";
  private static final String TWO_CAVEATS =
      "AgETaHR0cDovL2V4YW1wbGUub3JnLwIFa2V5aWQAAhRhY2NvdW50ID0gMzczNTkyODU1OQACDHVzZXIgPSBhbGlj"
          + "ZQAABiBL6WfNHqDGsmuvakqU7psFsViG2guoXoxCqTyNDhJe_A";

  /**
   * One of libmacaroons' tests of a verifier.
   *
   * @param exact the conditions that the verifier takes for fulfilled
   */
  record Vtest(String name, boolean authorized, String key, Set<String> exact, String token) {}

  static Stream<Vtest> vtests() {
    return Stream.of(
        new Vtest("root_v2_1", true, KEY, Set.of(), PLAIN),
        new Vtest("root_v2_2", false, "this is not the key", Set.of(), PLAIN),
        new Vtest("caveat_v2_1", true, KEY, Set.of(ACCOUNT), ONE_CAVEAT),
        new Vtest("caveat_v2_2", false, KEY, Set.of("account = 0000000000"), ONE_CAVEAT),
        new Vtest("caveat_v2_3", false, KEY, Set.of(), ONE_CAVEAT),
        new Vtest("caveat_v2_4", true, KEY, Set.of(ACCOUNT, USER), TWO_CAVEATS),
        new Vtest("caveat_v2_5", false, KEY, Set.of(ACCOUNT), TWO_CAVEATS),
        new Vtest("caveat_v2_6", false, KEY, Set.of(USER), TWO_CAVEATS));
  }

  @ParameterizedTest
  @MethodSource("vtests")
  void libmacaroonsVerifierDecidesTheSame(Vtest vtest) {
    Macaroon macaroon = Macaroon.parse(vtest.token());
    boolean minted = macaroon.isMintedWith(RootKey.of(vtest.key().getBytes(UTF_8)));
    assertEquals(vtest.authorized(), minted && vtest.exact().containsAll(macaroon.caveats()));
    assertEquals(vtest.key().equals(KEY), minted);
  }

  @Test
  void libmacaroonsWritesTheSameBytes() {
    Macaroon macaroon =
        Macaroon.mint(RootKey.of(KEY.getBytes(UTF_8)), LOCATION, ID.getBytes(UTF_8));
    assertEquals(PLAIN, macaroon.token());
    macaroon = macaroon.narrowedBy(ACCOUNT);
    assertEquals(ONE_CAVEAT, macaroon.token());
    macaroon = macaroon.narrowedBy(USER);
    assertEquals(TWO_CAVEATS, macaroon.token());
  }

  /** The files have some of the tokens with padding; and go-macaroon reads the other alphabet. */
  @Test
  void otherSpellingsOfATokenAreRefused() {
    assertRefused(PLAIN + "=");
    assertRefused(ONE_CAVEAT + "==");
    assertRefused(TWO_CAVEATS + "==");
    assertRefused(PLAIN.replace('-', '+').replace('_', '/'));
  }

  /** Version 1, in base64 once and twice; version 2 in JSON; a section's end too many. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "MDAyMWxvY2F0aW9uIGh0dHA6Ly9leGFtcGxlLm9yZy8KMDAxNWlkZW50aWZpZXIga2V5aWQKMDAyZnNpZ25hdHVy"
            + "ZSB83ueSURxbxvUoSFgF3-myTnheKOKpkwH51xHGCeOO9wo",
        "TURBeU1XeHZZMkYwYVc5dUlHaDBkSEE2THk5bGVHRnRjR3hsTG05eVp5OEtNREF4Tldsa1pXNTBhV1pwWlhJZ2Ey"
            + "VjVhV1FLTURBeVpuTnBaMjVoZEhWeVpTQjgzdWVTVVJ4Ynh2VW9TRmdGMy1teVRuaGVLT0twa3dINTF4SEdD"
            + "ZU9POXdv",
        "eyJ2IjoyLCJsIjoiaHR0cDovL2V4YW1wbGUub3JnLyIsImkiOiJrZXlpZCIsImMiOltdLCJzNjQiOiJmTjdua2xF"
            + "Y1c4YjFLRWhZQmRfcHNrNTRYaWppcVpNQi1kY1J4Z25qanZjIn0",
        "AgETaHR0cDovL2V4YW1wbGUub3JnLwIFa2V5aWQAAAAGIHze55JRHFvG9ShIWAXf6bJOeF4o4qmTAfnXEcYJ4473"
      })
  void libmacaroonsOtherFormsAreRefused(String token) {
    assertRefused(token);
  }

  private static void assertRefused(String token) {
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(token), token);
  }

  /** The macaroon that go-macaroon and libmacaroons' introduction share. */
  private static final String BANK_START =
      "02" + field(1, "http://mybank/") + field(2, "we used our other secret key") + "00";

  private static final String BANK_CAVEAT = field(2, ACCOUNT) + "00";
  private static final String THIRD_PARTY_ID = "this was how we remind auth of key/pred";
  private static final String VERIFICATION_ID =
      "000000000000000000000000000000000000000000000000d36ec502e05886d1f0279f055fa52554d16d16c1b1"
          + "4074bbb83ff0fdd79dc2fe098f0ed4a2b091130e6b5db46a20a86b";
  private static final String BANK_SIGNATURE =
      "d27db2fd1f22760e4c3dae8137e2d8fc1df6c0741c18aed4b97256bf78d1f55c";

  private static String field(int type, String text) {
    HexFormat hex = HexFormat.of();
    byte[] bytes = text.getBytes(ISO_8859_1);
    return hex.toHexDigits((byte) type)
        + hex.toHexDigits((byte) bytes.length)
        + hex.formatHex(bytes);
  }

  private static Macaroon bank() {
    return Macaroon.mint(
            RootKey.of(
                "this is a different super-secret key; never use the same secret twice"
                    .getBytes(UTF_8)),
            "http://mybank/",
            "we used our other secret key".getBytes(UTF_8))
        .narrowedBy(ACCOUNT);
  }

  @Test
  void aThirdPartysCaveatIsRefused() {
    String published =
        BANK_START
            + BANK_CAVEAT
            + field(1, "http://auth.mybank/")
            + field(2, THIRD_PARTY_ID)
            + "0448"
            + VERIFICATION_ID
            + "00"
            + "00"
            + "0620"
            + BANK_SIGNATURE;
    assertMalformed(published);
  }

  @Test
  void whatComesBeforeTheThirdPartysCaveatIsTheSame() {
    String ours = HexFormat.of().formatHex(MacaroonFormat.write(bank()));
    assertEquals(
        BANK_START + BANK_CAVEAT + "00" + "0620", ours.substring(0, ours.length() - 2 * 32));
    // The one link that is missing, done by hand, leads to the published signature.
    byte[] before = bank().signature();
    byte[] ids =
        concat(
            RootKey.hmac(before, HexFormat.of().parseHex(VERIFICATION_ID)),
            RootKey.hmac(before, THIRD_PARTY_ID.getBytes(UTF_8)));
    assertEquals(BANK_SIGNATURE, HexFormat.of().formatHex(RootKey.hmac(before, ids)));
  }

  private static byte[] concat(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** From go-macaroon's tests of its parser: a field, a section or an end of one, all broken. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffffffffffff7f",
        "ffffffffffffffffffffffff7f",
        "80",
        "010261",
        "01ff",
        "020378797a" + "07056162636465",
        "07056162636465" + "020378797a" + "00",
        "07056162636465" + "ff"
      })
  void goMacaroonsBrokenFieldsAreRefused(String section) {
    assertMalformed("02" + section);
    assertMalformed("02" + section + END);
    assertMalformed("02" + field(2, "id") + "00" + section + END);
  }

  private static final String END = "00" + "0620" + "00".repeat(32);

  /** There they are read as sections; here a section has one identifier and nothing unknown. */
  @Test
  void ofGoMacaroonsGoodSectionsOnlyAnIdentifierIsOne() {
    String identifier = "02" + "020378797a" + "00" + END;
    assertArrayEquals("xyz".getBytes(UTF_8), read(identifier).identifier());
    assertMalformed("02");
    assertMalformed("02" + "00" + END);
    assertMalformed("02" + "020378797a" + "07056162636465" + "00" + END);
  }

  /** These lengths are in JSON there. */
  @Test
  void aSignatureOfAnotherLengthIsRefused() {
    String start = "02" + field(2, "hello") + "00" + "00";
    assertEquals(32, read(start + "0620" + BANK_SIGNATURE).signature().length);
    assertMalformed(start + "061f" + BANK_SIGNATURE.substring(2));
    assertMalformed(start + "0621" + BANK_SIGNATURE + "f5");
  }

  /** There it is bytes; here it is text. */
  @Test
  void aCaveatThatIsNotUtf8IsRefused() {
    assertMalformed("02" + field(2, "some id") + "00" + field(2, "foo\u00ff") + "00" + END);
    assertEquals(
        List.of("foo"),
        read("02" + field(2, "some id") + "00" + field(2, "foo") + "00" + END).caveats());
  }

  @Test
  void twoMacaroonsInARowAreRefused() {
    RootKey key = RootKey.of("secret".getBytes(UTF_8));
    byte[] one =
        MacaroonFormat.write(
            Macaroon.mint(key, "a location", "some id".getBytes(UTF_8)).narrowedBy("a caveat"));
    byte[] other =
        MacaroonFormat.write(
            Macaroon.mint(key, "another location", "some other id".getBytes(UTF_8))
                .narrowedBy("another caveat"));
    assertTrue(MacaroonFormat.read(other).isMintedWith(key));
    assertMalformed(HexFormat.of().formatHex(concat(one, other)));
  }

  @Test
  void aCorruptedConditionIsNotMintedWithTheKey() {
    RootKey key = RootKey.of("xxx".getBytes(UTF_8));
    Macaroon macaroon =
        Macaroon.mint(key, "", "hello".getBytes(UTF_8))
            .narrowedBy("cond1")
            .narrowedBy("cond2")
            .narrowedBy("cond3");
    String good = HexFormat.of().formatHex(MacaroonFormat.write(macaroon));
    String corrupted = good.replace(field(2, "cond2"), field(2, "cond2 corrupted"));
    assertTrue(read(good).isMintedWith(key));
    assertEquals("cond2 corrupted", read(corrupted).caveats().get(1));
    assertFalse(read(corrupted).isMintedWith(key));
  }

  private static void assertMalformed(String hex) {
    assertThrows(MalformedCapabilityException.class, () -> read(hex), hex);
  }

  /** Through the text, as everything that comes from outside. */
  private static Macaroon read(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    return Macaroon.parse(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }
}
