package org.svcmailbox.it.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;

/** A proxy of Debian's in front of servers, on a free port. */
public final class ProxyProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The programs, each with what its configuration needs around what a test is about. */
  public enum Kind {
    NGINX(
        "nginx-light",
        "nginx",
        "-p . -c",
        """
        daemon off;
        user root;
        pid nginx.pid;
        error_log error.log;
        events {}
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          server {
            %s
          }
        }
        """),
    HAPROXY("haproxy", "haproxy", "-db -f", "%s");

    private final String debianPackage;
    private final String program;
    private final String arguments;
    private final String frame;

    Kind(String debianPackage, String program, String arguments, String frame) {
      this.debianPackage = debianPackage;
      this.program = program;
      this.arguments = arguments;
      this.frame = frame;
    }
  }

  private final Process process;
  private final int port;

  private ProxyProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a proxy and waits until it listens.
   *
   * @param directory for its files
   * @param configuration what it has to do at the port
   */
  public static ProxyProcess start(Kind kind, Path directory, IntFunction<String> configuration)
      throws IOException {
    int port = PortOffset.freePort();
    Path file = directory.resolve("proxy.conf");
    Files.writeString(file, kind.frame.formatted(configuration.apply(port)));
    ProcessBuilder process =
        new ProcessBuilder(Programs.require(kind.debianPackage, kind.program).toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("proxy.log").toFile());
    process.command().addAll(List.of(kind.arguments.split(" ", -1)));
    process.command().add(file.toString());
    ProxyProcess proxy = new ProxyProcess(process.start(), port);
    Deadline.in(PATIENCE).await(() -> PortOffset.isListening(port), () -> "the proxy is not up");
    return proxy;
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
