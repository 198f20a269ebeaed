package org.svcmailbox.web.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Mutates valid input. Parsing must end in a request, a {@code SchemaException} that names a field,
 * or a {@code FrameTooLargeException}.
 */
public final class BodyFuzz {
  private static final int RANDOM_BODIES = 500;
  private static final int MUTATIONS = 1_500;
  private static final String[] TOKENS = {
    "null",
    "true",
    "-1",
    "0",
    "1e400",
    "9999999999999999999999",
    "\"\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "\"QQ==\"",
    "\"\\u0000\"",
    "[[[[[[[[[",
    "{\"a\":",
    "\"",
    ",",
    ":",
    "}",
    "]"
  };

  private final Random random;
  private final long seed;

  /**
   * @param seed printed with every failure
   */
  public BodyFuzz(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  /** Runs all mutations against one parser. */
  public void attack(String valid, Consumer<byte[]> parser) {
    byte[] bytes = valid.getBytes(UTF_8);
    parser.accept(bytes);
    for (int length = 0; length < bytes.length; length++) {
      tryOut(Arrays.copyOf(bytes, length), parser);
    }
    for (int i = 0; i < RANDOM_BODIES; i++) {
      byte[] body = new byte[random.nextInt(300)];
      random.nextBytes(body);
      tryOut(body, parser);
    }
    for (int i = 0; i < MUTATIONS; i++) {
      tryOut(random.nextBoolean() ? flipped(bytes) : spliced(valid), parser);
    }
  }

  private byte[] flipped(byte[] bytes) {
    byte[] body = bytes.clone();
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return body;
  }

  private byte[] spliced(String valid) {
    int from = random.nextInt(valid.length());
    int to = Math.min(valid.length(), from + random.nextInt(12));
    String token = TOKENS[random.nextInt(TOKENS.length)];
    return (valid.substring(0, from) + token + valid.substring(to)).getBytes(UTF_8);
  }

  private void tryOut(byte[] body, Consumer<byte[]> parser) {
    try {
      parser.accept(body);
    } catch (SchemaException e) {
      if (e.violations().isEmpty() || e.violations().get(0).field().isEmpty()) {
        throw new AssertionError(label(body) + " names no field", e);
      }
    } catch (FrameTooLargeException e) {
      // The other way to refuse a body.
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError(label(body), e);
    }
  }

  private String label(byte[] body) {
    return "seed " + seed + ": " + new String(body, UTF_8);
  }
}
