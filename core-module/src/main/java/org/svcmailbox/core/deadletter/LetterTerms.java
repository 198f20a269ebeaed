package org.svcmailbox.core.deadletter;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.envelope.Envelope;

/**
 * Letters and filters as search terms: a kind, then a hash or a spelled word. Stored, so part of
 * the data format.
 */
public final class LetterTerms {
  private static final String DOMAIN = "mailbox.letter_term.v1";

  private LetterTerms() {}

  /**
   * A term of a filter. A letter matches if it has one of the texts.
   *
   * @param isBeginning whether a letter's word that begins with the text matches too
   */
  public record Term(List<String> texts, boolean isBeginning) {}

  public static List<String> of(DeadLetter letter) {
    List<String> terms = new ArrayList<>();
    terms.add(hashed('t', letter.topic().value()));
    terms.add(hashed('r', letter.reason().text()));
    terms.add("f" + letter.fingerprint());
    terms.add("n" + letter.attempt());
    if (letter.job() != null) {
      terms.add(letter.job().value());
    }
    ErrorWords.of(letter.lastError()).words().forEach(word -> terms.add(spelled(word)));
    Envelope envelope = letter.envelope();
    if (envelope != null) {
      terms.add(hashed('i', envelope.idemKey().value()));
      terms.add(hashed('c', envelope.corrId().value()));
      envelope.attrs().values().forEach((key, value) -> terms.add(hashed('a', key, value)));
    }
    return terms;
  }

  /** The terms of topic and filter, without the filter's time. */
  public static List<Term> of(String topic, LetterFilter filter) {
    List<String> whole = new ArrayList<>();
    whole.add(hashed('t', topic));
    if (filter.reason() != null) {
      whole.add(hashed('r', filter.reason().text()));
    }
    if (filter.job() != null) {
      whole.add(filter.job().value());
    }
    if (filter.attempts() != null) {
      whole.add("n" + filter.attempts());
    }
    if (filter.idemKey() != null) {
      whole.add(hashed('i', filter.idemKey()));
    }
    if (filter.corrId() != null) {
      whole.add(hashed('c', filter.corrId()));
    }
    filter.attributes().forEach((key, value) -> whole.add(hashed('a', key, value)));
    List<Term> terms = new ArrayList<>();
    whole.forEach(text -> terms.add(new Term(List.of(text), false)));
    if (!filter.fingerprints().isEmpty()) {
      terms.add(new Term(filter.fingerprints().stream().map(one -> "f" + one).toList(), false));
    }
    filter.words().forEach(word -> terms.add(term(word)));
    return terms;
  }

  private static Term term(String word) {
    boolean isBeginning = word.endsWith(ErrorWords.BEGINNING);
    return new Term(
        List.of(spelled(isBeginning ? word.substring(0, word.length() - 1) : word)), isBeginning);
  }

  private static String hashed(char what, String... values) {
    Blake3 hash = Blake3.domain(DOMAIN);
    for (String value : values) {
      hash.text(value);
    }
    return what + HexFormat.of().toHexDigits(ByteBuffer.wrap(hash.finish().bytes()).getLong());
  }

  /** Spells character by character, so that a prefix of a word is a prefix of its term. */
  private static String spelled(String word) {
    StringBuilder term = new StringBuilder("w");
    word.codePoints().forEach(each -> spell(each, term));
    return term.toString();
  }

  private static void spell(int each, StringBuilder term) {
    boolean isPlain = each < 0x80 && Character.isLetterOrDigit(each) && each != 'z';
    if (isPlain) {
      term.append((char) each);
    } else {
      term.append('z').append(Integer.toHexString(each)).append('z');
    }
  }
}
