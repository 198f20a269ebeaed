package org.svcmailbox.bench.contestant.neighbour;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;

/** A quorum queue of RabbitMQ on one node. */
public final class RabbitMqContestant extends NeighbourContestant {
  /** Not the wrapper on the path, which runs it as a user that cannot write here. */
  private static final String PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server";

  private final ConnectionFactory factory = new ConnectionFactory();
  private @Nullable Listener names;

  public RabbitMqContestant() {
    super("rabbitmq-server", PROGRAM);
  }

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public String title() {
    return "RabbitMQ, quorum queue";
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    Files.createDirectories(directory);
    int port = PortOffset.freePort();
    // Erlang would start this one as a daemon, which outlives the server.
    ProcessBuilder epmd =
        new ProcessBuilder(
            Programs.find("epmd").orElseThrow().toString(), "-port", Integer.toString(port));
    epmd.environment().put("ERL_EPMD_ADDRESS", HOST);
    names = Listener.start(epmd, port, output.resolveSibling(name() + "-epmd.txt"));
    super.start(directory, output);
    factory.setHost(HOST);
    factory.setPort(port());
  }

  @Override
  ProcessBuilder process(Path directory, int port) throws IOException {
    int nodes = Objects.requireNonNull(names).uri().getPort();
    Path plugins = Files.writeString(directory.resolve("enabled_plugins"), "[].\n");
    ProcessBuilder builder = new ProcessBuilder(program());
    builder
        .environment()
        .putAll(
            Map.ofEntries(
                Map.entry("HOME", directory.toString()),
                Map.entry("ERL_EPMD_ADDRESS", HOST),
                Map.entry("ERL_EPMD_PORT", Integer.toString(nodes)),
                Map.entry("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
                Map.entry("RABBITMQ_CONFIG_FILE", directory.resolve("rabbitmq").toString()),
                Map.entry("RABBITMQ_DIST_PORT", Integer.toString(PortOffset.freePort())),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString()),
                Map.entry("RABBITMQ_LOG_BASE", directory.resolve("log").toString()),
                Map.entry("RABBITMQ_LOGS", "-"),
                Map.entry("RABBITMQ_MNESIA_BASE", directory.toString()),
                Map.entry("RABBITMQ_NODENAME", "bench" + port + "@localhost"),
                Map.entry("RABBITMQ_NODE_IP_ADDRESS", HOST),
                Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
                Map.entry("RABBITMQ_PID_FILE", directory.resolve("pid").toString()),
                Map.entry(
                    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                    "-kernel inet_dist_use_interface {127,0,0,1}")));
    return builder;
  }

  @Override
  public void create(String queue) throws IOException, TimeoutException {
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
    }
  }

  @Override
  public void delete(String queue) throws IOException, TimeoutException {
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDelete(queue);
    }
  }

  @Override
  QueueClient client(String queue) throws IOException, TimeoutException {
    return new RabbitMqClient(factory.newConnection(), queue);
  }

  @Override
  public void close() {
    super.close();
    if (names != null) {
      names.close();
    }
  }
}
