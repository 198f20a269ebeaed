package org.svcmailbox.undertow.intake;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.OpenListener;
import io.undertow.server.handlers.PathHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainer;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.TestCertificate;
import org.svcmailbox.undertow.framing.GuardedListeners;
import org.xnio.Options;
import org.xnio.channels.AcceptingChannel;

/**
 * Undertow as WildFly runs it, on a free port of the loopback interface, with two deployments that
 * have the extension.
 */
final class IntakeServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final DoorServlet door;
  private final DeploymentManager deployment;
  private final DeploymentManager console;
  private final PathHandler paths;
  private final Undertow undertow;

  private IntakeServer(Builder from) throws ServletException {
    this.door = new DoorServlet(from.maxBody);
    ServletContainer container = Servlets.newContainer();
    this.deployment = container.addDeployment(deployment("door", "/", from, door));
    this.console = container.addDeployment(deployment("console", "/console", from, door));
    deployment.deploy();
    console.deploy();
    this.paths = Handlers.path();
    paths.addPrefixPath("/", deployment.start());
    paths.addPrefixPath("/console", console.start());
    Undertow.Builder builder =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(64)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, 0L)
            .setServerOption(UndertowOptions.MAX_HEADERS, 512)
            .setSocketOption(Options.READ_TIMEOUT, (int) from.listenersReadTimeout.toMillis())
            .setSocketOption(Options.WRITE_TIMEOUT, (int) from.listenersWriteTimeout.toMillis())
            // Small, so that it is seen soon when a client takes something.
            .setSocketOption(Options.SEND_BUFFER, 16 << 10)
            .setHandler(paths);
    if (from.certificate == null) {
      builder.addHttpListener(0, "127.0.0.1");
    } else {
      builder.addHttpsListener(0, "127.0.0.1", from.certificate.showing());
    }
    this.undertow = builder.build();
    undertow.start();
  }

  /** The extension is not named here: the server finds it by its service file. */
  private static DeploymentInfo deployment(
      String name, String path, Builder from, DoorServlet door) {
    DeploymentInfo deployment = new DeploymentInfo();
    if (path.equals("/")) {
      from.owners.forEach(deployment::addServletContextAttribute);
    }
    return deployment
        .setClassLoader(IntakeServer.class.getClassLoader())
        .setDeploymentName(name)
        .setContextPath(path)
        .addServletContextAttribute(Bounds.MAX_CONNS, from.maxConns)
        .addServletContextAttribute(Bounds.PER_ADDRESS, from.perAddress)
        .addServletContextAttribute(Bounds.EXEMPT, from.exempt)
        .addServletContextAttribute(Bounds.MAX_BODY, from.maxBody)
        .addServletContextAttribute(Bounds.READ_TIMEOUT, from.readTimeout)
        .addServletContextAttribute(Bounds.WRITE_TIMEOUT, from.writeTimeout)
        .addServletContextAttribute(Bounds.IDLE_TIMEOUT, from.idleTimeout)
        .addServlet(
            Servlets.servlet("door", DoorServlet.class, new ImmediateInstanceFactory<>(door))
                .setAsyncSupported(true)
                .addMapping("/*"));
  }

  /** Bounds that the application grants, and the listener's own timeouts. */
  static final class Builder {
    private int maxConns = 4096;
    private int perAddress = 4096;
    private Predicate<InetAddress> exempt = address -> false;
    private int maxBody = 100_000;
    private Map<String, BiFunction<String, String, String>> owners = Map.of();
    private Duration readTimeout = Duration.ofSeconds(5);
    private Duration writeTimeout = Duration.ofSeconds(5);
    private Duration idleTimeout = Duration.ofSeconds(60);
    private Duration listenersReadTimeout = Duration.ofSeconds(60);
    private Duration listenersWriteTimeout = Duration.ofSeconds(30);
    private @Nullable TestCertificate certificate;

    /** Over TLS, as WildFly has HTTP/2. */
    Builder tls(TestCertificate shown) {
      certificate = shown;
      return this;
    }

    Builder maxConns(int connections) {
      maxConns = connections;
      return this;
    }

    Builder perAddress(int connections) {
      perAddress = connections;
      return this;
    }

    Builder exempt(Predicate<InetAddress> addresses) {
      exempt = addresses;
      return this;
    }

    Builder maxBody(int bytes) {
      maxBody = bytes;
      return this;
    }

    /** The application that is not the console says in whose name bodies are read. */
    Builder owners(
        BiFunction<String, String, String> known, BiFunction<String, String, String> find) {
      owners = Map.of(BodyOwners.KNOWN, known, BodyOwners.FIND, find);
      return this;
    }

    Builder readTimeout(Duration timeout) {
      readTimeout = timeout;
      return this;
    }

    Builder writeTimeout(Duration timeout) {
      writeTimeout = timeout;
      return this;
    }

    Builder idleTimeout(Duration timeout) {
      idleTimeout = timeout;
      return this;
    }

    Builder listenersReadTimeout(Duration timeout) {
      listenersReadTimeout = timeout;
      return this;
    }

    Builder listenersWriteTimeout(Duration timeout) {
      listenersWriteTimeout = timeout;
      return this;
    }

    IntakeServer start() throws ServletException {
      return new IntakeServer(this);
    }
  }

  static Builder with() {
    return new Builder();
  }

  /** Looks at the framing of all connections, as the extension has WildFly's listeners do. */
  IntakeServer guarded() throws ReflectiveOperationException {
    Undertow.ListenerInfo listener = undertow.getListenerInfo().get(0);
    Field open = Undertow.ListenerInfo.class.getDeclaredField("openListener");
    open.setAccessible(true);
    Field channels = Undertow.class.getDeclaredField("channels");
    channels.setAccessible(true);
    AcceptingChannel<?> accepting = (AcceptingChannel<?>) ((List<?>) channels.get(undertow)).get(0);
    OpenListener opening = (OpenListener) open.get(listener);
    // As WildFly does; Undertow's builder has it in the delegates only.
    opening.setRootHandler(paths);
    GuardedListeners.guard(accepting, opening);
    return this;
  }

  InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  DoorServlet door() {
    return door;
  }

  /** A count that the extension gives the application. */
  long count(String name) {
    @SuppressWarnings("unchecked")
    Map<String, LongSupplier> counts =
        (Map<String, LongSupplier>)
            deployment.getDeployment().getServletContext().getAttribute(Counts.ATTRIBUTE);
    return Objects.requireNonNull(counts.get(name), name).getAsLong();
  }

  /** Waits until a count is as it must become. */
  void await(String name, long wanted) {
    Deadline.in(PATIENCE)
        .await(
            () -> count(name) == wanted, () -> name + " is " + count(name) + " and not " + wanted);
  }

  @Override
  public void close() throws ServletException {
    undertow.stop();
    deployment.stop();
    console.stop();
  }
}
