package org.svcmailbox.it.amnesia;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A text that is nowhere else, and what it looks like in the encodings it may be written in. */
enum Canary {
  PAYLOAD,
  SHORT_PAYLOAD,
  TOPIC,
  IDEM_KEY,
  ATTR_KEY,
  ATTR_VALUE,
  CORR_ID,
  SHARD_KEY,
  SIGNATURE,
  NACK_REASON,
  CAVEAT;

  private static final int TRIPLET = 3;

  private final String text = Beginning.TEXT + fresh(6);

  /** The beginning of all canaries' texts, for a first quick search. */
  private static final class Beginning {
    static final String TEXT = "k" + fresh(3);
    static final Set<String> FORMS = forms(TEXT);
  }

  private static String fresh(int digits) {
    return HexFormat.of().toHexDigits(RandomGenerator.getDefault().nextLong(), digits);
  }

  /** The text; letters and digits, ten of them. */
  String text() {
    return text;
  }

  /** The canaries that a file's content has in any form, a character for a byte. */
  static List<Canary> in(String content) {
    if (Beginning.FORMS.stream().noneMatch(content::contains)) {
      return List.of();
    }
    return Stream.of(values())
        .filter(canary -> forms(canary.text).stream().anyMatch(content::contains))
        .toList();
  }

  /** Every form of a text, a character for a byte. */
  private static Set<String> forms(String text) {
    Set<String> forms = new LinkedHashSet<>();
    for (Charset charset : List.of(UTF_8, UTF_16BE, UTF_16LE)) {
      byte[] bytes = text.getBytes(charset);
      forms.add(new String(bytes, ISO_8859_1));
      forms.add(HexFormat.of().formatHex(bytes));
      forms.add(HexFormat.of().withUpperCase().formatHex(bytes));
      for (int before = 0; before < TRIPLET; before++) {
        forms.add(base64(Base64.getEncoder(), bytes, before));
        forms.add(base64(Base64.getUrlEncoder(), bytes, before));
      }
    }
    return forms;
  }

  /** The characters that depend on these bytes alone, when so many others come before. */
  private static String base64(Base64.Encoder encoder, byte[] bytes, int before) {
    byte[] shifted = new byte[before + bytes.length];
    System.arraycopy(bytes, 0, shifted, before, bytes.length);
    String whole = encoder.withoutPadding().encodeToString(shifted);
    int first = before == 0 ? 0 : before + 1;
    int last = shifted.length % TRIPLET == 0 ? whole.length() : whole.length() - 1;
    return whole.substring(first, last);
  }
}
