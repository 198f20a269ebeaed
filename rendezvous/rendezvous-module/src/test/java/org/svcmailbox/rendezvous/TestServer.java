package org.svcmailbox.rendezvous;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.xnio.Options;

/** The WAR on Undertow without the container, on a free loopback port. */
final class TestServer implements AutoCloseable {
  static final String RECIPIENT = "0123456789abcdef".repeat(4);
  static final String PATH = "/v1/mailbox/" + RECIPIENT;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  final FakeRendezvousService service = new FakeRendezvousService();
  private final DeploymentManager deployment;
  private final Undertow undertow;

  private TestServer(ClassLoader loader, int sendBuffer) throws ServletException {
    deployment = Servlets.newContainer().addDeployment(info(loader));
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(4)
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, 0L)
            .setSocketOption(Options.SEND_BUFFER, sendBuffer)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
  }

  static TestServer open() throws ServletException {
    return new TestServer(TestServer.class.getClassLoader(), 256 << 10);
  }

  /** With a small send buffer. */
  static TestServer narrow() throws ServletException {
    return new TestServer(TestServer.class.getClassLoader(), 8 << 10);
  }

  /** On a server without the Undertow extensions. */
  static TestServer elsewhere() throws ServletException {
    ClassLoader loader =
        new ClassLoader(TestServer.class.getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/io.undertow.")
                ? Collections.emptyEnumeration()
                : super.getResources(name);
          }
        };
    return new TestServer(loader, 8 << 10);
  }

  private DeploymentInfo info(ClassLoader loader) {
    return Servlets.deployment()
        .setClassLoader(loader)
        .setDeploymentName("rendezvous")
        .setContextPath("/")
        .addInitParameter(SentReport.ATTRIBUTE, "true")
        .addServletContextAttribute(RendezvousIntakeSettings.MAX_CONNECTIONS, 100)
        .addServletContextAttribute("org.svcmailbox.max_body", FakeRendezvousService.MAX_MESSAGE)
        .addServletContextAttribute("org.svcmailbox.write_timeout", Duration.ofSeconds(5))
        .addServlet(
            Servlets.servlet(
                    "rendezvous",
                    RendezvousServlet.class,
                    new ImmediateInstanceFactory<>(new RendezvousServlet(service)))
                .setAsyncSupported(true)
                .addMapping("/*"));
  }

  InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  RawConnection connect() throws IOException {
    return RawConnection.to(address());
  }

  /** Sends one request on its own connection. */
  RawConnection.Response call(String request) throws IOException {
    try (RawConnection client = connect()) {
      return client.send(request).receive();
    }
  }

  static String request(String method, String uri, String... headers) {
    String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    return method + " " + uri + " HTTP/1.1\r\nHost: localhost\r\n" + lines + "\r\n";
  }

  static void await(Deadline.Condition condition, String what) {
    Deadline.in(TIMEOUT).await(condition, () -> what);
  }

  /** Awaits a waiting GET. */
  FakeRendezvousService.Waiter waiter() {
    await(() -> !service.waiters.isEmpty(), "a waiting GET");
    return service.waiters.get(0);
  }

  /** Awaits the settlement of the last message. */
  String settled() {
    await(() -> !service.settled.isEmpty(), "a settled message");
    return service.settled.get(0);
  }

  @Override
  public void close() throws ServletException {
    undertow.stop();
    deployment.stop();
  }
}
