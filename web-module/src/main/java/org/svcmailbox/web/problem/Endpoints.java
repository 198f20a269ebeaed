package org.svcmailbox.web.problem;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Endpoint names in metrics: a fixed set, whatever path a client sends. */
public final class Endpoints {
  /** Any other path. */
  public static final String OTHER = "other";

  private static final String PREFIX = "/v1/";

  /** Endpoints by path without the prefix. */
  private static final Map<String, String> BY_PATH =
      Stream.of(
              "send",
              "send/batch",
              "recv",
              "recv/stream",
              "ack",
              "ack/batch",
              "nack",
              "nack/batch",
              "extend",
              "extend/batch",
              "audit",
              "events")
          .collect(Collectors.toUnmodifiableMap(path -> path, path -> path.replace('/', '_')));

  /** Endpoints that include all paths below them. */
  private static final List<String> TREES =
      List.of("topics", "dlq", "jobs", "capabilities", "rendezvous");

  /** All except {@link #OTHER}. */
  public static final List<String> NAMED =
      Stream.concat(BY_PATH.values().stream(), TREES.stream()).toList();

  private Endpoints() {}

  /** Returns the endpoint of a path. */
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
