package org.svcmailbox.environment;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The variables that Kubernetes sets in each container, for each Service of the namespace. A
 * Service called {@code mailbox-grpc} has {@code MAILBOX_GRPC_PORT=tcp://10.0.0.1:9555}, which
 * looks like a setting and is none.
 */
public final class ServiceVariables {
  private static final Pattern NAME =
      Pattern.compile(
          "\\w+_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)");

  /** A name with this end can be a setting's, so that the value decides. */
  private static final String PORT = "_PORT";

  private static final Pattern URL = Pattern.compile("(tcp|udp|sctp)://.*");

  private ServiceVariables() {}

  /** Whether the platform has set a variable. */
  public static boolean isOne(String name, String value) {
    return NAME.matcher(name).matches() || (name.endsWith(PORT) && URL.matcher(value).matches());
  }

  /** The environment without them. */
  public static Map<String, String> without(Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(variable -> !isOne(variable.getKey(), variable.getValue()))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
