package org.svcmailbox.undertow.disconnect;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.undertow.disconnect.WaitingServlet.Waiting;
import org.xnio.Options;

/** Undertow as WildFly runs it, on a free port of the loopback interface, with the extension. */
final class TestServer implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 10;

  private final WaitingServlet servlet = new WaitingServlet();
  private final DeploymentManager deployment;
  private final Undertow undertow;

  private TestServer(Duration readTimeout, @Nullable SSLContext tls) throws ServletException {
    // The extension is not named here: the server finds it by its service file.
    this.deployment =
        Servlets.newContainer()
            .addDeployment(
                Servlets.deployment()
                    .setClassLoader(TestServer.class.getClassLoader())
                    .setDeploymentName("waiting")
                    .setContextPath("/")
                    .addServlet(
                        Servlets.servlet("waiting", WaitingServlet.class, factory())
                            .setAsyncSupported(true)
                            .addMapping("/*")));
    deployment.deploy();
    Undertow.Builder builder =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(8)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setSocketOption(Options.READ_TIMEOUT, (int) readTimeout.toMillis())
            .setHandler(deployment.start());
    this.undertow =
        (tls == null
                ? builder.addHttpListener(0, "127.0.0.1")
                : builder.addHttpsListener(0, "127.0.0.1", tls))
            .build();
    undertow.start();
  }

  static TestServer start() throws ServletException {
    return new TestServer(Duration.ofSeconds(90), null);
  }

  static TestServer start(Duration readTimeout) throws ServletException {
    return new TestServer(readTimeout, null);
  }

  static TestServer start(SSLContext tls) throws ServletException {
    return new TestServer(Duration.ofSeconds(90), tls);
  }

  private ImmediateInstanceFactory<Servlet> factory() {
    return new ImmediateInstanceFactory<>(servlet);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  /** The next request that waits. */
  Waiting nextWaiting() throws InterruptedException {
    Waiting waiting = servlet.arrivals().poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (waiting == null) {
      throw new AssertionError("no request arrived");
    }
    return waiting;
  }

  /** Whether no request is waiting that the test has not seen. */
  boolean isQuiet() {
    return servlet.arrivals().isEmpty();
  }

  @Override
  public void close() throws ServletException {
    deployment.stop();
    undertow.stop();
  }
}
