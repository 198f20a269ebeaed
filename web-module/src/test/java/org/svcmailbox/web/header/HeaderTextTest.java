package org.svcmailbox.web.header;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.problem.SchemaException;

class HeaderTextTest {
  private static String decoded(String value) {
    return HeaderText.decoded("Mailbox-Sig", value);
  }

  private static String unquoted(String value) {
    return HeaderText.unquoted("Idempotency-Key", value);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "key-1,key-1",
        "a%20b,a%20b",
        "a\"b,a\"b",
        "UTF-8,UTF-8",
        "a b,UTF-8''a%20b",
        "\"a\",UTF-8''%22a%22",
        "utf-8''a,UTF-8''utf-8%27%27a",
        "schlüssel,UTF-8''schl%C3%BCssel",
        "𝄞,UTF-8''%F0%9D%84%9E",
      })
  void otherCharactersThanVisibleAsciiArePercentEncoded(String text, String value) {
    assertEquals(value, HeaderText.encoded(text));
    assertEquals(text, decoded(value));
    assertEquals(text, unquoted(value));
  }

  @Test
  void noTextCanEndItsHeader() {
    assertEquals("UTF-8''a%0D%0AX-Evil%3A%20b%00%7F", HeaderText.encoded("a\r\nX-Evil: b\0\u007f"));
  }

  @Test
  void anyTextComesBackAndIsVisible() {
    Random random = new Random(19);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder();
      int bound = random.nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1;
      for (int i = 0; i <= random.nextInt(20); i++) {
        int c = random.nextInt(bound);
        text.appendCodePoint(c >= 0xd800 && c < 0xe000 ? 'x' : c);
      }
      String value = HeaderText.encoded(text.toString());
      assertTrue(value.chars().allMatch(c -> c > ' ' && c < 0x7f), value);
      assertEquals(text.toString(), unquoted(value));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a b",
        "ä",
        "UTF-8''%",
        "UTF-8''%4",
        "UTF-8''%4g",
        "UTF-8''a b",
        "UTF-8''%FF",
        "UTF-8''%ED%A0%80",
        "UTF-8''a'b",
      })
  void otherTextIsRefused(String value) {
    SchemaException refused = assertThrows(SchemaException.class, () -> decoded(value));
    assertEquals("Mailbox-Sig", refused.violations().get(0).field());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"8e03978e-40d5-43dd-bc93-6894a57f9324\",8e03978e-40d5-43dd-bc93-6894a57f9324",
        "\"a b\",a b",
        "\"a\\\"b\\\\\",a\"b\\",
        "\"UTF-8''%41\",UTF-8''%41",
        "a\"b\",a\"b\"",
      })
  void aQuotedKeyIsTheTextInTheQuotes(String value, String key) {
    assertEquals(key, unquoted(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\"a", "\"a\\\"", "\"a\"b", "\"a\";q=1", "\"\\a\"", "\"a\"\""})
  void aKeyThatOnlyBeginsWithAQuoteIsRefused(String value) {
    SchemaException refused = assertThrows(SchemaException.class, () -> unquoted(value));
    assertEquals("is not a string of RFC 8941", refused.violations().get(0).message());
  }
}
