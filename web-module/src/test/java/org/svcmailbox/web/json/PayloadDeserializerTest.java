package org.svcmailbox.web.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadDeserializerTest {
  @Test
  void outputOfTheStandardEncoderIsRead() {
    Random random = new Random(7);
    for (int length = 0; length < 200; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      assertArrayEquals(
          bytes, PayloadDeserializer.decode(Base64.getEncoder().encodeToString(bytes)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Q",
        "QQ",
        "QQ=",
        "QUI",
        "QUJD=",
        "QUJDQQ", // padding missing or too much
        "====",
        "Q===",
        "=QQ=",
        "QQ==QQ==",
        "QQ=Q", // padding out of place
        "QR==",
        "QUJ=",
        "QUJDQR==", // stray bits
        "QU JD===",
        "QUJD\nQUJD===",
        " QUJ",
        "QUJ\n", // white space
        "_-8=",
        "QUJ\u00e4",
        "QUJ\u0141",
        "QU\u0000D",
        "QUJ?" // foreign characters
      })
  void anyOtherSpellingIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> PayloadDeserializer.decode(text));
  }
}
