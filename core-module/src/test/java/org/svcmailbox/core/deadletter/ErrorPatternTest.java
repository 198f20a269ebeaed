package org.svcmailbox.core.deadletter;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("it measures how long an error takes")
class ErrorPatternTest {
  private static final long SEED = 20_261_121;

  private static String pattern(String error) {
    return ErrorPattern.of(error).text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          order 4711 not found                                   | order # not found
          timeout after 3.5s                                     | timeout after #s
          user 7f3c9a10-12ab-4cde-8f00-0123456789AB is locked    | user # is locked
          message 01JD8Z3K5WQ6T7V8X9Y0ABCDEF expired             | message # expired
          at 2026-11-21T22:01:15.123Z: no answer from 10.0.0.7:8080 | at #: no answer from #
          commit 3f2a9bc1 failed                                 | commit # failed
          java.lang.Object@3f2abc closed                         | java.lang.Object@# closed
          Worker$$Lambda$1043/0x00007feb2c0 failed               | Worker$$Lambda$#/# failed
          Base64 of part_17 is bad                               | Base# of part_# is bad
          OrderV2Service: HTTP/1.1 503                           | OrderV#Service: HTTP/# 503
          x-0042 and -17                                         | x-# and -#
          ٤٢ is forty-two                                        | # is forty-two
          """)
  void whatDiffersIsStripped(String error, String expected) {
    assertEquals(expected, pattern(error));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          HTTP 503                                               | HTTP 503
          HTTP/1.1 404 Not Found after 31 ms                     | HTTP/# 404 Not Found after # ms
          HTTP/2 401                                             | HTTP/# 401
          POST /orders/17: status=503                            | POST /orders/#: status=503
          {"status":429,"id":4711}                               | {"status":429,"id":#}
          statusCode: 500, order 500                             | statusCode: 500, order #
          http_status (404)                                      | http_status (404)
          Server returned HTTP response code: 503 for URL: x     | Server returned HTTP response code: 503 for URL: x
          HttpClientErrorException$NotFound: 404 Not Found: [no] | HttpClientErrorException$NotFound: 404 Not Found: [no]
          503 Service Unavailable                                | 503 Service Unavailable
          550 5.1.1 <17@example.org>: unknown                    | 550 5.1.1 <#@example.org>: unknown
          550-5.7.26 This mail is unauthenticated                | 550-5.7.26 This mail is unauthenticated
          421 Try again in 30 s                                  | 421 Try again in # s
          SMTPSendFailedException: 452 4.2.2 Mailbox full        | SMTPSendFailedException: 452 4.2.2 Mailbox full
          Status: 5.1.1                                          | Status: 5.1.1
          relay=10.0.0.7:25, dsn=4.4.1, delay=17                 | relay=#, dsn=4.4.1, delay=#
          smtp error 550                                         | smtp error 550
          SQLSTATE 23505                                         | SQLSTATE 23505
          SQL state [72000]; error code [12899]; order 12899     | SQL state [72000]; error code [12899]; order #
          SQLSTATE[HY000] [2002] refused                         | SQLSTATE[HY000] [#] refused
          SQLState: 40P01, deadlock of 17 and 18                 | SQLState: 40P01, deadlock of # and #
          SQLCODE=-803, SQLSTATE=23505                           | SQLCODE=-803, SQLSTATE=23505
          ORA-00001: row 17                                      | ORA-00001: row #
          [Errno 111] Connection refused: port 8080              | [Errno 111] Connection refused: port #
          exit code 137                                          | exit code 137
          exited with code 1 after 3 s                           | exited with code 1 after # s
          worker 7: exit status 2, signal 9                      | worker #: exit status 2, signal 9
          """)
  void codesThatSayWhatFailedStay(String error, String expected) {
    assertEquals(expected, pattern(error));
    assertEquals(expected, pattern(expected), "twice is as once");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          503 messages were lost                                 | # messages were lost
          300 ms elapsed                                         | # ms elapsed
          status 2026                                            | status #
          status 600                                             | status #
          status 503ms                                           | status #ms
          status 503.17                                          | status #
          status of order 503                                    | status of order #
          HTTP 5031                                              | HTTP #
          http://host:503/                                       | http://host:#/
          10.0.0.7:503                                           | #
          host 404                                               | host #
          version 5.1.1                                          | version #
          450 5.1.1 mixed                                        | # # mixed
          SQLSTATE 235051                                        | SQLSTATE #
          INV-12345                                              | INV-#
          ORA-000017                                             | ORA-#
          exit code 13712                                        | exit code #
          error code 123456                                      | error code #
          myexit code 17                                         | myexit code #
          """)
  void numbersThatOnlyResembleCodesAreStripped(String error, String expected) {
    assertEquals(expected, pattern(error));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.NullPointerException",
        "connection refused",
        "AbstractSingletonProxyFactoryBean is missing",
        "deadbeef facade",
        "café fermé: à réessayer",
        "",
        "#"
      })
  void whatSaysWhatHappenedStays(String error) {
    assertEquals(error, pattern(error));
  }

  @Test
  void blanksAndLineEndsAreOneBlank() {
    assertEquals(
        "no route at Hop.go(Hop.java:#)", pattern(" no  route\n\tat Hop.go(Hop.java:17)\r\n"));
  }

  @Test
  void aLongOneIsCutBetweenCharacters() {
    assertEquals("x".repeat(256), pattern("x".repeat(1024)));
    assertEquals("x".repeat(255), pattern("x".repeat(255) + "\uD83D\uDE00" + "y"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "1",
        "a1",
        "f",
        "-1",
        "@f",
        "0x",
        " ",
        "aaaaaaaaaaaaaaa1 ",
        "HTTP ",
        "HTTP/1.",
        "status",
        "status code ",
        "status_",
        "exit ",
        "exited with ",
        "5.1.",
        "550-",
        "550 5.",
        "SQLSTATE",
        "sql state[",
        "ORA-",
        "error code ",
        "Exception$",
        "Exception$a",
        "$1",
        "\\\\"
      })
  void noErrorTakesLong(String part) {
    String longest = part.repeat(1024 / part.length());
    assertTimeoutPreemptively(
        ofSeconds(5),
        () -> {
          for (int i = 0; i < 200; i++) {
            pattern(longest);
          }
        });
  }

  /** Errors of one template, with whatever its holes are filled with, have one pattern. */
  @Test
  void twoCasesOfOneErrorHaveOnePattern() {
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      List<Supplier<String>> template = template(random);
      String one = filled(template);
      String other = filled(template);
      assertEquals(pattern(one), pattern(other), one + " | " + other);
      assertTrue(pattern(one).chars().noneMatch(Character::isDigit), pattern(one));
      assertEquals(pattern(one), pattern(pattern(one)), "twice is as once");
    }
  }

  @Test
  void otherWordsAreAnotherPattern() {
    assertNotEquals(pattern("order 1 not found"), pattern("customer 1 not found"));
  }

  private static final List<String> WORDS =
      List.of("order", "not", "found", "Timeout", "db.Pool", "réseau", "(closed)", "key=");

  private static List<Supplier<String>> template(Random random) {
    return Stream.generate(() -> part(random)).limit(1 + random.nextInt(6)).toList();
  }

  private static Supplier<String> part(Random random) {
    String word = WORDS.get(random.nextInt(WORDS.size()));
    return switch (random.nextInt(6)) {
      case 0 -> () -> Integer.toString(1_000 + random.nextInt(1_000_000));
      case 1 -> () -> new UUID(random.nextLong(), random.nextLong()).toString();
      case 2 ->
          () ->
              "10."
                  + random.nextInt(256)
                  + "."
                  + random.nextInt(256)
                  + ".1:"
                  + random.nextInt(65_536);
      case 3 -> () -> "0x" + Integer.toHexString(random.nextInt());
      case 4 -> () -> random.nextInt(1000) + "." + random.nextInt(1000);
      default -> () -> word;
    };
  }

  private static String filled(List<Supplier<String>> template) {
    return template.stream().map(Supplier::get).collect(Collectors.joining(" "));
  }
}
