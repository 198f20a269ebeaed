package org.svcmailbox.core.capability;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A caveat that is kept by counting, and whose count it is. Everything that is narrowed from the
 * capability in which the caveat was added counts together: whoever narrows theirs once more gets
 * another token, and not another count.
 *
 * @param <C> which kind of caveat
 * @param owner the same for all that count together, different for any others; not secret
 */
public record Quota<C extends Caveat.Counted>(String owner, C caveat) {
  private static final byte END_OF_CAVEAT = 0;

  /**
   * The quota of the last of {@code caveats}.
   *
   * @param caveats it and all before it
   */
  static <C extends Caveat.Counted> Quota<C> of(CapabilityId id, List<String> caveats, C last) {
    MessageDigest digest = sha256();
    digest.update(id.bytes());
    for (String caveat : caveats) {
      digest.update(END_OF_CAVEAT);
      digest.update(caveat.getBytes(StandardCharsets.UTF_8));
    }
    return new Quota<>(HexFormat.of().formatHex(digest.digest()), last);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
