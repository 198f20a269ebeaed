package org.svcmailbox.bench.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;
import redis.clients.jedis.HostAndPort;

/** The installed {@code redis-server} without persistence, on a port of its own. */
final class RedisProcess implements AutoCloseable {
  private final Listener listener;

  private RedisProcess(Listener listener) {
    this.listener = listener;
  }

  /**
   * Starts a server.
   *
   * @param work directory for its files
   */
  static RedisProcess start(Path work) throws IOException {
    Path program = Programs.require("redis-server", "redis-server");
    int port = PortOffset.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            Files.createDirectories(work).toString());
    return new RedisProcess(Listener.start(builder, port, work.resolve("redis.txt")));
  }

  HostAndPort address() {
    return new HostAndPort(listener.uri().getHost(), listener.uri().getPort());
  }

  @Override
  public void close() {
    listener.close();
  }
}
