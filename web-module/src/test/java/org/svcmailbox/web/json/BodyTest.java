package org.svcmailbox.web.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;

class BodyTest {
  private static final BodyLimit LIMIT = new BodyLimit(3000);

  /** A stream that returns a few bytes per read and counts them. */
  private static final class Trickle extends InputStream {
    private final InputStream bytes;
    private final Random random = new Random(7);
    private int given;

    Trickle(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() throws IOException {
      return bytes.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = bytes.read(buffer, offset, Math.min(length, 1 + random.nextInt(900)));
      given += Math.max(0, count);
      return count;
    }
  }

  private static Body read(byte[] bytes, @Nullable String declared) {
    return Body.read(new Trickle(bytes), declared, LIMIT.bytes());
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aBodyThatIsDoneWithIsOverwritten() {
    Body body = read(bytes(100_000), null);
    assertArrayEquals(bytes(100_000), Arrays.copyOf(body.bytes(), body.length()));
    body.wipe();
    assertArrayEquals(new byte[body.length()], Arrays.copyOf(body.bytes(), body.length()));
  }

  @Test
  void theLimitIsTheFrameInBase64AndTheAllowance() {
    assertEquals(4 + 262_144, new BodyLimit(1).bytes());
    assertEquals(4 + 262_144, new BodyLimit(3).bytes());
    assertEquals(1_398_104 + 262_144, new BodyLimit(1_048_576).bytes());
  }

  @Test
  void everyLengthUpToTheLimitIsReadForAnyDeclaredLength() {
    for (int length : new int[] {0, 1, 100, 16_383, 16_384, 16_385, 40_000, LIMIT.bytes()}) {
      for (String declared : Arrays.asList(null, "0", "" + length, "99", "nonsense")) {
        byte[] bytes = bytes(length);
        Body body = read(bytes, declared);
        assertArrayEquals(bytes, Arrays.copyOf(body.bytes(), body.length()));
        assertArrayEquals(bytes, body.exact());
      }
    }
  }

  @Test
  void aBodyAsLongAsItsClientSaidIsNotCopiedOnceItIsThere() {
    for (int length : new int[] {0, 1, 16_384, 40_000}) {
      Body body = read(bytes(length), "" + length);
      assertSame(body.bytes(), body.exact());
    }
  }

  @Test
  void aBodyThatIsCopiedIsOverwritten() {
    Body body = read(bytes(100), null);
    assertArrayEquals(bytes(100), body.exact());
    assertArrayEquals(new byte[100], Arrays.copyOf(body.bytes(), 100));
  }

  @Test
  void aBodyThatSaysThatItIsTooLargeIsNotRead() {
    Trickle stream = new Trickle(bytes(10));
    String declared = "" + (LIMIT.bytes() + 1);
    assertThrows(FrameTooLargeException.class, () -> Body.read(stream, declared, LIMIT.bytes()));
    assertEquals(0, stream.given);
  }

  @Test
  void readingStopsOneBytePastTheLimit() {
    Trickle stream = new Trickle(bytes(2 * LIMIT.bytes()));
    assertThrows(FrameTooLargeException.class, () -> Body.read(stream, null, LIMIT.bytes()));
    assertTrue(stream.given <= LIMIT.bytes() + 1, () -> "read " + stream.given);
  }

  @Test
  void aStreamThatBreaksIsTheClientsMistake() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("reset");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            return read();
          }
        };
    assertThrows(SchemaException.class, () -> Body.read(broken, "7", LIMIT.bytes()));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "7,7",
    "00012,12",
    "999999999999999999,999999999999999999",
    "9999999999999999999,9223372036854775807",
    "'',-1",
    "-5,-1",
    "+5,-1",
    "5 ,5",
    "x,-1",
    "1e3,-1"
  })
  void aDeclaredLengthIsDigits(String header, long length) {
    assertEquals(length, Body.declaredLength(header));
  }
}
