package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.problem.SchemaException;

class StrictUtf8Test {
  /** Bytes at which the rules change, and some between. */
  private static final int[] BYTES = {
    'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff
  };

  record Named(String name) implements JsonRequest {}

  private static boolean isText(byte[] json) {
    return StrictUtf8.isText(json, json.length);
  }

  private static boolean isDecoded(byte[] bytes) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Test
  void bytesAreTextIfTheStrictDecoderTakesThem() {
    Random random = new Random(38);
    int texts = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(5)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) BYTES[random.nextInt(BYTES.length)];
      }
      boolean isDecoded = isDecoded(bytes);
      assertEquals(isDecoded, isText(bytes), () -> HexFormat.of().formatHex(bytes));
      texts += isDecoded ? 1 : 0;
    }
    assertTrue(texts > 1_000, "too few are text: " + texts);
  }

  @Test
  void everyCharacterIsText() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c != '\\' && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)) {
        assertTrue(isText(Character.toString(c).getBytes(UTF_8)), "U+" + Integer.toHexString(c));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud83d\\ude00",
        "\\uD83D\\uDE00 and more",
        "\\\\ud83d",
        "\\\\\\\\ud83d",
        "\\u0041",
        "\\n\\ud7ff\\ue000",
        "\\ud83",
        "\\"
      })
  void escapesOfCharactersAreLeftToTheParser(String json) {
    assertTrue(isText(json.getBytes(US_ASCII)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud83d",
        "\\ude00",
        "\\ude00\\ud83d",
        "\\ud83d\\ud83d\\ude00",
        "\\ud83dx",
        "\\ud83d\\n",
        "\\ud83d\\\\ude00",
        "\\\\\\ud83d"
      })
  void halfOfAPairIsNoText(String json) {
    assertFalse(isText(json.getBytes(US_ASCII)));
  }

  /** Overlong slash, CESU-8, a lone surrogate, too high, cut. */
  private static final List<String> MALFORMED =
      List.of(
          "c0af",
          "e080af",
          "f08080af",
          "eda0bdedb880",
          "eda0bd",
          "f4908080",
          "e282",
          "5c7564383364");

  @Test
  void malformedTextIsRefusedWhereverItIs() {
    for (String hex : MALFORMED) {
      for (String json : List.of("{\"name\": \"%\"}", "{\"n%\": 1}", "{\"name\": \"a\"} %")) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int hole = json.indexOf('%');
        bytes.writeBytes(json.substring(0, hole).getBytes(US_ASCII));
        bytes.writeBytes(HexFormat.of().parseHex(hex));
        bytes.writeBytes(json.substring(hole + 1).getBytes(US_ASCII));
        Body body = Body.of(bytes.toByteArray());
        SchemaException refused =
            assertThrows(
                SchemaException.class, () -> StrictReader.of(Named.class).read(body), hex + json);
        assertEquals("is not valid JSON in UTF-8", refused.violations().get(0).message());
      }
    }
  }

  @Test
  void onlyTheFirstBytesCount() {
    byte[] bytes = {'a', (byte) 0xc3, (byte) 0xa4, (byte) 0xff};
    assertTrue(StrictUtf8.isText(bytes, 3));
    assertFalse(StrictUtf8.isText(bytes, 2), "cut in a character");
    assertFalse(StrictUtf8.isText(bytes, 4));
    assertTrue(isText(Arrays.copyOf(bytes, 0)));
  }
}
