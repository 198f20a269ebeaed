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
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.health.HealthCheck;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;
import org.svcmailbox.web.capability.CapabilityFilter;
import org.svcmailbox.web.capability.CapabilityResource;
import org.svcmailbox.web.delivery.AckResource;
import org.svcmailbox.web.delivery.ExtendResource;
import org.svcmailbox.web.delivery.NackResource;
import org.svcmailbox.web.delivery.PeekResource;
import org.svcmailbox.web.delivery.RecvResource;
import org.svcmailbox.web.delivery.SendResource;
import org.svcmailbox.web.health.LivenessServlet;
import org.svcmailbox.web.health.ReadinessServlet;
import org.svcmailbox.web.http.Threshold;
import org.svcmailbox.web.json.BodyLimit;
import org.svcmailbox.web.json.BodyLimitFilter;
import org.svcmailbox.web.json.JsonRequestReader;
import org.svcmailbox.web.json.PayloadReader;
import org.svcmailbox.web.ledger.LedgerResource;
import org.svcmailbox.web.metrics.MetricsServlet;
import org.svcmailbox.web.metrics.RequestTimer;
import org.svcmailbox.web.problem.ErrorPage;
import org.svcmailbox.web.problem.ThrowableMapper;
import org.svcmailbox.web.topic.TopicResource;

/**
 * The doors on a free loopback port, with WildFly's JAX-RS and web server but without its
 * container: what CDI and the WAR's descriptors do there is done here by hand.
 */
public final class Door implements AutoCloseable {
  public final FakeMailbox mailbox = new FakeMailbox();
  public final FakeTopics topics = new FakeTopics();
  public final FakeContents contents = new FakeContents();
  public final FakeCapabilities capabilities = new FakeCapabilities();
  public final FakeMetrics metrics = new FakeMetrics();
  public final List<HealthCheck> liveness = new ArrayList<>();
  public final List<HealthCheck> readiness = new ArrayList<>();

  private final DeploymentManager deployment;
  private final Undertow undertow;

  private Door() throws ServletException {
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
    return new Door();
  }

  private DeploymentInfo deployment() {
    return Servlets.deployment()
        .setClassLoader(Door.class.getClassLoader())
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
            servlet("problem", new ErrorPage(), "/problem"),
            servlet("healthz", new LivenessServlet(liveness), "/healthz"),
            servlet("readyz", new ReadinessServlet(readiness), "/readyz"),
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

  private ResteasyDeployment resteasy() {
    BodyLimit limit = new BodyLimit(TestSettings.MAX_FRAME);
    Set<Object> singletons =
        Set.of(
            new SendResource(mailbox, TestSettings.SETTINGS),
            new RecvResource(mailbox, TestSettings.SETTINGS),
            new AckResource(mailbox, TestSettings.SETTINGS),
            new NackResource(mailbox),
            new ExtendResource(mailbox, TestSettings.SETTINGS),
            new TopicResource(topics, contents),
            new PeekResource(contents),
            new LedgerResource(contents),
            new CapabilityResource(capabilities),
            new CapabilityFilter(capabilities, TestSettings.SETTINGS),
            new JsonRequestReader(limit),
            new PayloadReader(limit),
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
