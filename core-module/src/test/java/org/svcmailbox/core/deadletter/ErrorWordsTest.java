package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ErrorWordsTest {
  @Test
  void wordsAreLettersAndDigitsInLowerCase() {
    assertEquals(
        Set.of("ora", "00001", "zürich", "東京", "shop", "orders", "pk"),
        ErrorWords.of("ORA-00001: Zürich (東京) SHOP.ORDERS_PK!").words());
    assertEquals(Set.of(), ErrorWords.of(" --- ").words());
  }

  @Test
  void aLongErrorIsFoundByItsFirstWordsAndALongWordByItsBeginning() {
    String many = "a b ".repeat(40) + "last";
    assertEquals(Set.of("a", "b"), ErrorWords.of(many).words());
    assertEquals(Set.of("x" + "y".repeat(39)), ErrorWords.of("x" + "y".repeat(200)).words());
  }

  @Test
  void whatIsTypedIsWholeWordsUnlessAStarIsBehind() {
    assertEquals(List.of("conn*", "reset"), ErrorWords.typed("Conn* ... RESET, reset *"));
    assertEquals(List.of(), ErrorWords.typed("* - \""));
  }

  @Test
  void termsAreWhatEverySearchUnderstands() {
    SampleLetters sample = new SampleLetters(11);
    for (int i = 0; i < 200; i++) {
      for (String term : LetterTerms.of(sample.next())) {
        assertTrue(term.matches("[a-z][a-z0-9]*"), term);
      }
    }
  }

  @Test
  void differentWordsHaveDifferentTermsAndBeginningsStay() {
    assertEquals("wz7az", term("z"));
    assertEquals("wz7azz7az", term("zz"));
    assertEquals("wz7az7az7az", term("z7az"));
    assertEquals("wze9z", term("é"));
    assertTrue(term("zürich").startsWith(term("zü")));
  }

  private static String term(String word) {
    LetterFilter filter =
        new LetterFilter(
            null, List.of(), null, null, null, null, null, Map.of(), List.of(word), null);
    return LetterTerms.of("x", filter).get(1).texts().get(0);
  }
}
