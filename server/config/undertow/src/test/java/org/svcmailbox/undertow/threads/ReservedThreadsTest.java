package org.svcmailbox.undertow.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;

/** Monitoring, when every other thread is stuck. */
class ReservedThreadsTest {
  private static final int ALL = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<RawConnection> stuck = new ArrayList<>();
  private final CountDownLatch inside = new CountDownLatch(ALL);
  private final CountDownLatch free = new CountDownLatch(1);
  private DeploymentManager deployment;
  private Undertow undertow;

  @BeforeEach
  void start() throws ServletException {
    deployment =
        Servlets.newContainer()
            .addDeployment(
                Servlets.deployment()
                    .setClassLoader(ReservedThreadsTest.class.getClassLoader())
                    .setDeploymentName("monitored")
                    .setContextPath("/")
                    .addServlets(
                        servlet("/*", () -> stay()),
                        servlet("/healthz", () -> {}),
                        servlet("/readyz", () -> {}),
                        servlet("/metrics", () -> {})));
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(ALL + 4)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
  }

  private static ServletInfo servlet(String path, Runnable action) {
    return Servlets.servlet(
            path, ActionServlet.class, new ImmediateInstanceFactory<>(new ActionServlet(action)))
        .addMapping(path);
  }

  private void stay() {
    inside.countDown();
    try {
      free.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void stop() throws IOException, ServletException {
    free.countDown();
    for (RawConnection client : stuck) {
      client.close();
    }
    undertow.stop();
    deployment.stop();
  }

  @Test
  void healthAndMetricsAreServedWhileAllOtherThreadsAreStuck() throws Exception {
    InetSocketAddress address = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    for (int i = 0; i < 2 * ALL; i++) {
      RawConnection client = RawConnection.to(address);
      stuck.add(client);
      client.send(RawConnection.get("/stuck"));
    }
    assertTrue(inside.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    for (String path : List.of("/healthz", "/readyz", "/metrics")) {
      try (RawConnection probe = RawConnection.to(address)) {
        assertEquals(200, probe.send(RawConnection.get(path)).receive(PATIENCE).status(), path);
      }
    }
  }

  private static final class ActionServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Runnable action;

    ActionServlet(Runnable action) {
      this.action = action;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      action.run();
    }
  }
}
