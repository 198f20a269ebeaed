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
import org.svcmailbox.web.audit.AuditResource;
import org.svcmailbox.web.capability.Authentication;
import org.svcmailbox.web.capability.CapabilityFilter;
import org.svcmailbox.web.capability.CapabilityResource;
import org.svcmailbox.web.deadletter.DeadLetterResource;
import org.svcmailbox.web.delivery.AckBatchDoor;
import org.svcmailbox.web.delivery.AckDoor;
import org.svcmailbox.web.delivery.ExtendBatchDoor;
import org.svcmailbox.web.delivery.ExtendDoor;
import org.svcmailbox.web.delivery.NackBatchDoor;
import org.svcmailbox.web.delivery.NackDoor;
import org.svcmailbox.web.delivery.PeekResource;
import org.svcmailbox.web.delivery.RecvDoor;
import org.svcmailbox.web.delivery.ScheduledResource;
import org.svcmailbox.web.delivery.SendBatchDoor;
import org.svcmailbox.web.delivery.SendDoor;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.health.LivenessServlet;
import org.svcmailbox.web.health.ReadinessServlet;
import org.svcmailbox.web.http.Threshold;
import org.svcmailbox.web.json.BodyLimit;
import org.svcmailbox.web.json.BodyLimitFilter;
import org.svcmailbox.web.json.JsonRequestReader;
import org.svcmailbox.web.json.RequestBodies;
import org.svcmailbox.web.ledger.LedgerResource;
import org.svcmailbox.web.metrics.MetricsServlet;
import org.svcmailbox.web.metrics.RequestTimer;
import org.svcmailbox.web.openapi.OpenApiServlet;
import org.svcmailbox.web.problem.ErrorPage;
import org.svcmailbox.web.problem.ThrowableMapper;
import org.svcmailbox.web.redrive.EarlierJobResource;
import org.svcmailbox.web.redrive.JobListResource;
import org.svcmailbox.web.redrive.JobResource;
import org.svcmailbox.web.redrive.JobsResource;
import org.svcmailbox.web.redrive.ResendResource;
import org.svcmailbox.web.rendezvous.AccessResource;
import org.svcmailbox.web.rendezvous.TokenResource;
import org.svcmailbox.web.topic.TopicResource;
import org.svcmailbox.web.trace.Spans;

/**
 * The doors on a free loopback port, with WildFly's JAX-RS and web server but without its
 * container: what CDI and the WAR's descriptors do there is done here by hand.
 */
public final class Door implements AutoCloseable {
  public final FakeMailbox mailbox = new FakeMailbox();
  public final FakeTopics topics = new FakeTopics();
  public final FakeRendezvous rendezvous = new FakeRendezvous();
  public final FakeContents contents = new FakeContents();
  public final FakeLetters letters = new FakeLetters();
  public final FakeRedrive redrive = new FakeRedrive();
  public final FakeAudit audit = new FakeAudit();
  public final FakeCapabilities capabilities = new FakeCapabilities();
  public final FakeMetrics metrics = new FakeMetrics();
  public final List<HealthCheck> liveness = new ArrayList<>();
  public final List<HealthCheck> readiness = new ArrayList<>();

  private final ClassLoader loader;
  private final Duration patience;
  private final DeploymentManager deployment;
  private final Undertow undertow;

  private Door(ClassLoader loader, Duration patience) throws ServletException {
    this.loader = loader;
    this.patience = patience;
    deployment = Servlets.newContainer().addDeployment(deployment());
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(8)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, 0L) // the doors have their own limit
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
  }

  /** Opens the doors. */
  public static Door open() throws ServletException {
    return open(Duration.ofMinutes(1));
  }

  /** Opens doors that do not wait for an outcome for longer than this. */
  static Door open(Duration patience) throws ServletException {
    return new Door(Door.class.getClassLoader(), patience);
  }

  /** Opens the doors on a server that has no part of ours in it. */
  static Door openElsewhere() throws ServletException {
    ClassLoader loader =
        new ClassLoader(Door.class.getClassLoader()) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/io.undertow.")
                ? Collections.emptyEnumeration()
                : super.getResources(name);
          }
        };
    return new Door(loader, Duration.ofMinutes(1));
  }

  private DeploymentInfo deployment() {
    return Servlets.deployment()
        .setClassLoader(loader)
        .setDeploymentName("doors")
        .setContextPath("/")
        .addServletContextAttribute(ResteasyDeployment.class.getName(), resteasy())
        .addServletContextAttribute(
            "org.svcmailbox.max_body", new BodyLimit(TestSettings.MAX_FRAME).bytes())
        .addServlets(
            Servlets.servlet("v1", HttpServlet30Dispatcher.class)
                .setAsyncSupported(true)
                .setLoadOnStartup(1)
                .addInitParam("resteasy.servlet.mapping.prefix", "/v1")
                .addMapping("/v1/*"),
            servlet("send", new SendDoor(way()), "/v1/send"),
            servlet("send-batch", new SendBatchDoor(way()), "/v1/send/batch"),
            servlet("recv", new RecvDoor(way()), "/v1/recv"),
            servlet("ack", new AckDoor(way()), "/v1/ack"),
            servlet("ack-batch", new AckBatchDoor(way()), "/v1/ack/batch"),
            servlet("nack", new NackDoor(way()), "/v1/nack"),
            servlet("nack-batch", new NackBatchDoor(way()), "/v1/nack/batch"),
            servlet("extend", new ExtendDoor(way()), "/v1/extend"),
            servlet("extend-batch", new ExtendBatchDoor(way()), "/v1/extend/batch"),
            servlet("problem", new ErrorPage(), "/problem"),
            servlet("healthz", new LivenessServlet(liveness), "/healthz"),
            servlet("readyz", new ReadinessServlet(readiness), "/readyz"),
            servlet("openapi", new OpenApiServlet(), "/openapi"),
            servlet("metrics", new MetricsServlet(metrics, metrics::text), "/metrics"))
        .addErrorPage(Servlets.errorPage("/problem"))
        .addFilter(Servlets.filter("timer", RequestTimer.class).setAsyncSupported(true))
        .addFilterUrlMapping("timer", "/*", DispatcherType.REQUEST)
        .addFilter(Servlets.filter("threshold", Threshold.class).setAsyncSupported(true))
        .addFilterUrlMapping("threshold", "/*", DispatcherType.REQUEST);
  }

  private static ServletInfo servlet(String name, Servlet servlet, String path) {
    return Servlets.servlet(name, servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
        .setAsyncSupported(true)
        .addMapping(path);
  }

  private Doorway way() {
    return new Doorway(
        new Authentication(capabilities, TestSettings.SETTINGS),
        new RequestBodies(new BodyLimit(TestSettings.MAX_FRAME)),
        mailbox,
        TestSettings.SETTINGS,
        Spans.NONE,
        patience);
  }

  private ResteasyDeployment resteasy() {
    BodyLimit limit = new BodyLimit(TestSettings.MAX_FRAME);
    Set<Object> singletons =
        Set.of(
            new TopicResource(topics, contents),
            new PeekResource(contents),
            new ScheduledResource(contents),
            new LedgerResource(contents),
            new DeadLetterResource(letters),
            new JobsResource(redrive),
            new JobResource(redrive),
            new EarlierJobResource(redrive),
            new JobListResource(redrive),
            new ResendResource(redrive),
            new AuditResource(audit),
            new CapabilityResource(capabilities),
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

  /** Where the doors are. */
  public InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  @Override
  public void close() throws ServletException {
    deployment.stop();
    undertow.stop();
  }
}
