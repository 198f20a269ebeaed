package org.svcmailbox.web.problem;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The doors as metrics name them: constants, whatever path a client wrote. */
public final class Endpoints {
  /** Every path that is no door's. */
  public static final String OTHER = "other";

  private static final String PREFIX = "/v1/";

  /** Doors by what follows the prefix. */
  private static final Map<String, String> BY_PATH =
      Stream.of(
              "send",
              "send/batch",
              "recv",
              "ack",
              "ack/batch",
              "nack",
              "nack/batch",
              "extend",
              "extend/batch",
              "audit",
              "events")
          .collect(Collectors.toUnmodifiableMap(path -> path, path -> path.replace('/', '_')));

  /** Doors with more paths below them. */
  private static final List<String> TREES =
      List.of("topics", "dlq", "jobs", "capabilities", "rendezvous");

  /** All but {@link #OTHER}. */
  public static final List<String> NAMED =
      Stream.concat(BY_PATH.values().stream(), TREES.stream()).toList();

  private Endpoints() {}

  /** The door a path belongs to; what a client wrote is only compared. */
  public static String of(String path) {
    String rest = path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "";
    for (String tree : TREES) {
      if (rest.equals(tree) || rest.startsWith(tree + "/")) {
        return tree;
      }
    }
    return BY_PATH.getOrDefault(rest, OTHER);
  }
}
