package org.svcmailbox.ejb.link;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.ActiveMQIncompatibleClientServerException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.BrokerSetting;

/** Names the setting that a broker failure points to, without hosts or users. */
public final class BrokerTrouble {
  private static final Pattern PERMISSION = Pattern.compile("permission='([A-Z_]+)'");

  private static final String NAMELESS = "Username: null;";

  private BrokerTrouble() {}

  /** An exception that says what failed, and names the setting to look at if that is known. */
  public static UnavailableException unavailable(String what, Throwable cause) {
    String hint = hint(cause);
    return new UnavailableException(hint.isEmpty() ? what : what + ": " + hint, cause);
  }

  private static String hint(Throwable cause) {
    for (Throwable thrown = cause; thrown != null; thrown = thrown.getCause()) {
      if (thrown instanceof UnavailableException) {
        return String.valueOf(thrown.getMessage());
      }
      if (thrown instanceof ActiveMQSecurityException) {
        return refusal(String.valueOf(thrown.getMessage()));
      }
      if (thrown instanceof ActiveMQIncompatibleClientServerException) {
        return BrokerSetting.URL.key() + " names a broker of another version";
      }
    }
    return "";
  }

  private static String refusal(String message) {
    Matcher permission = PERMISSION.matcher(message);
    if (permission.find()) {
      return "%s lacks the permission %s".formatted(BrokerSetting.USER.key(), permission.group(1));
    }
    return message.contains(NAMELESS)
        ? "the broker knows nobody by the certificate of " + BrokerSetting.KEY_STORE.key()
        : "the broker refuses %s with %s"
            .formatted(BrokerSetting.USER.key(), BrokerSetting.PASSWORD.key());
  }
}
