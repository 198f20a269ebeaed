package org.svcmailbox.core.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.problem.SchemaException;

/** Names are judged as the patterns of their documentation would. */
class TextTest {
  static Stream<Arguments> names() {
    Function<String, Object> topic = TopicName::new;
    Function<String, Object> receipt = Receipt::new;
    return Stream.of(
        Arguments.of("[A-Za-z0-9._-]{1,255}", 255, topic),
        Arguments.of("[A-Za-z0-9-]{1,64}", 64, receipt));
  }

  private static void assertJudged(String pattern, String value, Function<String, Object> type) {
    assertEquals(Pattern.matches(pattern, value), isAccepted(value, type), () -> escaped(value));
  }

  private static boolean isAccepted(String value, Function<String, Object> type) {
    try {
      return type.apply(value).toString().equals(value);
    } catch (SchemaException e) {
      return false;
    }
  }

  private static String escaped(String value) {
    return value.chars().mapToObj(c -> String.format("%04x", c)).toList().toString();
  }

  /** Characters that look like letters and digits are in the first blocks, and in the last one. */
  private static IntStream characters() {
    return IntStream.concat(
        IntStream.range(0, 0x700), IntStream.rangeClosed(0xfe00, Character.MAX_VALUE));
  }

  @ParameterizedTest
  @MethodSource("names")
  void charactersAreJudgedAtEachPlace(String pattern, int max, Function<String, Object> type) {
    characters()
        .mapToObj(c -> String.valueOf((char) c))
        .flatMap(character -> Stream.of(character, character + "a", "a" + character))
        .forEach(value -> assertJudged(pattern, value, type));
  }

  @ParameterizedTest
  @MethodSource("names")
  void lengthsAreJudged(String pattern, int max, Function<String, Object> type) {
    for (int length = 0; length <= max + 1; length++) {
      assertJudged(pattern, "a".repeat(length), type);
    }
  }
}
