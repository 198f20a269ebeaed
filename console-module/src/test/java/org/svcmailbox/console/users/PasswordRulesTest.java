package org.svcmailbox.console.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordRulesTest {
  private static final String OLD = "correct horse battery";

  private static String objection(String next) {
    return PasswordRules.objection(OLD, next).orElse("");
  }

  @ParameterizedTest
  @CsvSource({
    "'', A password has at least 12 characters.",
    "elevenchars, A password has at least 12 characters.",
    "twelve chars, ''",
    "'            ', ''",
    "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4, ''",
    "correct horse battery, The new password is the current one.",
    "Correct horse battery, ''",
    "'twelve\tchars', A password has no control characters.",
    "'twelve\u007fchars', A password has no control characters."
  })
  void eachRuleIsNamed(String next, String objection) {
    assertEquals(objection, objection(next));
  }

  @Test
  void lengthIsInCharactersAndBounded() {
    assertEquals("A password has at least 12 characters.", objection("\ud83d\udc34".repeat(11)));
    assertEquals("", objection("\ud83d\udc34".repeat(12)));
    assertEquals("", objection("x".repeat(1_000)));
    assertEquals("A password has at most 1000 characters.", objection("x".repeat(1_001)));
  }

  @Test
  void aPasswordOfBeforeTheRulesCanBeReplaced() {
    assertEquals(Optional.empty(), PasswordRules.objection("short", "twelve chars"));
  }
}
