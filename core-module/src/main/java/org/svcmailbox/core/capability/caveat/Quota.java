package org.svcmailbox.core.capability.caveat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Condition;

/**
 * A counted caveat and the owner of its count. The capability that added the caveat and everything
 * narrowed from it share the count.
 */
public record Quota<C extends Condition.Counted>(String owner, C caveat) {
  private static final byte END_OF_CAVEAT = 0;

  /** The quota of {@code last}, the last of {@code caveats}. */
  static <C extends Condition.Counted> Quota<C> of(CapabilityId id, List<String> caveats, C last) {
    MessageDigest digest = DigestUtils.getSha256Digest();
    digest.update(id.bytes());
    for (String caveat : caveats) {
      digest.update(END_OF_CAVEAT);
      digest.update(caveat.getBytes(StandardCharsets.UTF_8));
    }
    return new Quota<>(HexFormat.of().formatHex(digest.digest()), last);
  }
}
