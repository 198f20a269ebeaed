package org.svcmailbox.web;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.health.HealthCheck;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.audit.AuditResource;
import org.svcmailbox.web.bounds.BoundsResource;
import org.svcmailbox.web.bounds.LeaseHoldersResource;
import org.svcmailbox.web.bounds.StreamsResource;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.capability.CapabilityFilter;
import org.svcmailbox.web.capability.CapabilityResource;
import org.svcmailbox.web.cluster.ClusterResource;
import org.svcmailbox.web.deadletter.DeadLetterResource;
import org.svcmailbox.web.delivery.AckBatchServlet;
import org.svcmailbox.web.delivery.AckServlet;
import org.svcmailbox.web.delivery.ExtendBatchServlet;
import org.svcmailbox.web.delivery.ExtendServlet;
import org.svcmailbox.web.delivery.NackBatchServlet;
import org.svcmailbox.web.delivery.NackServlet;
import org.svcmailbox.web.delivery.PeekResource;
import org.svcmailbox.web.delivery.RecvServlet;
import org.svcmailbox.web.delivery.ScheduledResource;
import org.svcmailbox.web.delivery.SendBatchServlet;
import org.svcmailbox.web.delivery.SendServlet;
import org.svcmailbox.web.health.LivenessServlet;
import org.svcmailbox.web.health.ReadinessServlet;
import org.svcmailbox.web.history.HistoryResource;
import org.svcmailbox.web.http.NegotiationFilter;
import org.svcmailbox.web.json.BodyLimit;
import org.svcmailbox.web.json.BodyLimitFilter;
import org.svcmailbox.web.json.JsonRequestReader;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.ledger.LedgerResource;
import org.svcmailbox.web.message.MessageResource;
import org.svcmailbox.web.metrics.MetricsServlet;
import org.svcmailbox.web.metrics.RequestTimer;
import org.svcmailbox.web.openapi.OpenApiServlet;
import org.svcmailbox.web.peer.PeerCallsServlet;
import org.svcmailbox.web.peer.PeerGroupsServlet;
import org.svcmailbox.web.peer.PeerReadyServlet;
import org.svcmailbox.web.peer.PeerStateServlet;
import org.svcmailbox.web.problem.ErrorPage;
import org.svcmailbox.web.problem.ThrowableMapper;
import org.svcmailbox.web.redrive.JobListResource;
import org.svcmailbox.web.redrive.JobResource;
import org.svcmailbox.web.redrive.LegacyJobResource;
import org.svcmailbox.web.redrive.ResendResource;
import org.svcmailbox.web.redrive.StartJobResource;
import org.svcmailbox.web.rendezvous.AccessResource;
import org.svcmailbox.web.rendezvous.TokenResource;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.LeasedBytes;
import org.svcmailbox.web.state.StateResource;
import org.svcmailbox.web.stream.RecvStreamServlet;
import org.svcmailbox.web.topic.TopicResource;
import org.svcmailbox.web.trace.Spans;

/**
 * The endpoints on WildFly's JAX-RS and web server, on a free loopback port. It registers by hand
 * what CDI and the WAR's descriptors do.
 */
public final class TestServer implements AutoCloseable {
  /** The threads for requests. */
  static final int THREADS = 8;

  public final FakeMailbox mailbox = new FakeMailbox();
  public final FakeStreams streams = new FakeStreams();
  public final FakeTopics topics = new FakeTopics();
  public final FakeRendezvous rendezvous = new FakeRendezvous();
  public final FakeContents contents = new FakeContents();
  public final FakeHoldings holdings = new FakeHoldings();
  public final FakeState state = new FakeState();
  public final FakeCluster cluster = new FakeCluster();
  public final FakeLookups lookups = new FakeLookups();
  public final FakeHistory history = new FakeHistory();
  public final FakeLetters letters = new FakeLetters();
  public final FakeRedrive redrive = new FakeRedrive();
  public final FakeAudit audit = new FakeAudit();
  public final FakeCapabilities capabilities = new FakeCapabilities();
  public final FakeMetrics metrics = new FakeMetrics();
  public final FakePeers peers = new FakePeers();
  public final List<HealthCheck> liveness = new ArrayList<>();
  public final List<HealthCheck> readiness = new ArrayList<>();

  public final LeasedBytes leased;

  private final MailboxSettings settings;
  private final ClassLoader loader;
  private final Duration timeout;
  private final DeploymentManager deployment;
  private final Undertow undertow;

  private TestServer(ClassLoader loader, Duration timeout, LeasedBytes leased)
      throws ServletException {
    this(loader, timeout, leased, TestSettings.SETTINGS);
  }

  private TestServer(
      ClassLoader loader, Duration timeout, LeasedBytes leased, MailboxSettings settings)
      throws ServletException {
    this.settings = settings;
    this.loader = loader;
    this.leased = leased;
    this.timeout = timeout;
    deployment = Servlets.newContainer().addDeployment(deployment());
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(THREADS)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setServerOption(
                UndertowOptions.MAX_ENTITY_SIZE, 0L) // the endpoints have their own limit
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
  }

  public static TestServer open() throws ServletException {
    return open(Duration.ofMinutes(1));
  }

  /** Limits the wait for an outcome. */
  static TestServer open(Duration timeout) throws ServletException {
    return new TestServer(TestServer.class.getClassLoader(), timeout, new LeasedBytes());
  }

  /** With these settings of metrics and proxies. */
  static TestServer open(MailboxSettings settings) throws ServletException {
    return new TestServer(
        TestServer.class.getClassLoader(), Duration.ofMinutes(1), new LeasedBytes(), settings);
  }

  /** Limits what is held for receivers. */
  static TestServer open(LeasedBytes leased) throws ServletException {
    return new TestServer(TestServer.class.getClassLoader(), Duration.ofMinutes(1), leased);
  }

  /** On a server without the Undertow extensions. */
  static TestServer openElsewhere() throws ServletException {
    ClassLoader loader =
        new ClassLoader(TestServer.class.getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/io.undertow.")
                ? Collections.emptyEnumeration()
                : super.getResources(name);
          }
        };
    return new TestServer(loader, Duration.ofMinutes(1), new LeasedBytes());
  }

  private DeploymentInfo deployment() {
    return Servlets.deployment()
        .setClassLoader(loader)
        .setDeploymentName("endpoints")
        .setContextPath("/")
        .addInitParameter("org.svcmailbox.sent", "true")
        .addServletContextAttribute(ResteasyDeployment.class.getName(), resteasy())
        .addServletContextAttribute("org.svcmailbox.max_body", new BodyLimit(settings).received())
        .addServlets(
            Servlets.servlet("v1", HttpServlet30Dispatcher.class)
                .setAsyncSupported(true)
                .setLoadOnStartup(1)
                .addInitParam("resteasy.servlet.mapping.prefix", "/v1")
                .addMapping("/v1/*"),
            servlet("send", new SendServlet(context()), "/v1/send"),
            servlet("send-batch", new SendBatchServlet(context()), "/v1/send/batch"),
            servlet("recv", new RecvServlet(context()), "/v1/recv"),
            servlet("recv-stream", new RecvStreamServlet(context(), streams), "/v1/recv/stream"),
            servlet("ack", new AckServlet(context()), "/v1/ack"),
            servlet("ack-batch", new AckBatchServlet(context()), "/v1/ack/batch"),
            servlet("nack", new NackServlet(context()), "/v1/nack"),
            servlet("nack-batch", new NackBatchServlet(context()), "/v1/nack/batch"),
            servlet("extend", new ExtendServlet(context()), "/v1/extend"),
            servlet("extend-batch", new ExtendBatchServlet(context()), "/v1/extend/batch"),
            servlet(
                "peer-calls",
                new PeerCallsServlet(
                    peers,
                    peers,
                    new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
                    context()),
                "/v1/peer/calls"),
            servlet(
                "peer-ready",
                new PeerReadyServlet(
                    peers,
                    peers,
                    new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
                    context()),
                "/v1/peer/ready"),
            servlet(
                "peer-state",
                new PeerStateServlet(
                    peers,
                    peers,
                    new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
                    context()),
                "/v1/peer/state"),
            servlet(
                "peer-groups",
                new PeerGroupsServlet(
                    peers,
                    peers,
                    new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
                    context()),
                "/v1/peer/groups"),
            servlet("problem", new ErrorPage(), "/problem"),
            servlet("healthz", new LivenessServlet(liveness), "/healthz"),
            servlet("readyz", new ReadinessServlet(readiness), "/readyz"),
            servlet("openapi", new OpenApiServlet(), "/openapi"),
            servlet(
                "metrics",
                new MetricsServlet(metrics, new Authentication(capabilities, settings), settings),
                "/metrics"))
        .addErrorPage(Servlets.errorPage("/problem"))
        .addFilter(Servlets.filter("timer", RequestTimer.class).setAsyncSupported(true))
        .addFilterUrlMapping("timer", "/*", DispatcherType.REQUEST)
        .addFilter(Servlets.filter("negotiation", NegotiationFilter.class).setAsyncSupported(true))
        .addFilterUrlMapping("negotiation", "/*", DispatcherType.REQUEST);
  }

  private static ServletInfo servlet(String name, Servlet servlet, String path) {
    return Servlets.servlet(name, servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
        .setAsyncSupported(true)
        .addMapping(path);
  }

  private EndpointContext context() {
    return new EndpointContext(
        new Authentication(capabilities, TestSettings.SETTINGS),
        new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
        mailbox,
        TestSettings.SETTINGS,
        leased,
        Spans.NONE,
        timeout);
  }

  private ResteasyDeployment resteasy() {
    BodyLimit limit = new BodyLimit(TestSettings.MAX_FRAME);
    Set<Object> singletons =
        Set.of(
            new TopicResource(topics, contents, holdings),
            new PeekResource(contents),
            new ScheduledResource(contents),
            new LedgerResource(contents),
            new DeadLetterResource(letters),
            new StartJobResource(redrive),
            new JobResource(redrive),
            new LegacyJobResource(redrive),
            new JobListResource(redrive),
            new ResendResource(redrive),
            new AuditResource(audit),
            new CapabilityResource(capabilities, holdings),
            new BoundsResource(holdings),
            new LeaseHoldersResource(holdings),
            new StreamsResource(holdings),
            new StateResource(state),
            new ClusterResource(cluster),
            new MessageResource(lookups),
            new HistoryResource(history),
            new TokenResource(rendezvous),
            new AccessResource(rendezvous),
            new CapabilityFilter(new Authentication(capabilities, TestSettings.SETTINGS)),
            new JsonRequestReader(new RequestBodies(limit)),
            new BodyLimitFilter(limit),
            new ThrowableMapper());
    ResteasyDeployment resteasy = new ResteasyDeploymentImpl();
    resteasy.setApplication(
        new Application() {
          @Override
          @SuppressWarnings("deprecation") // the way without CDI
          public Set<Object> getSingletons() {
            return singletons;
          }
        });
    return resteasy;
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  @Override
  public void close() throws ServletException {
    deployment.stop();
    undertow.stop();
  }
}
