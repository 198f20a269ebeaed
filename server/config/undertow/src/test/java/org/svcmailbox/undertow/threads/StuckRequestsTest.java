package org.svcmailbox.undertow.threads;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.net.RawConnection;

/** Requests that are stuck in their thread, and one that is not, on the web server itself. */
class StuckRequestsTest {
  private static final int STUCK = 4 * Runtime.getRuntime().availableProcessors();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final List<RawConnection> stuck = new ArrayList<>();
  private final CountDownLatch standing = new CountDownLatch(STUCK);
  private final CountDownLatch free = new CountDownLatch(1);
  private DeploymentManager deployment;
  private Undertow undertow;

  @BeforeEach
  void start() throws ServletException {
    // The extension is not named here: the server finds it by its service file.
    deployment =
        Servlets.newContainer()
            .addDeployment(
                Servlets.deployment()
                    .setClassLoader(StuckRequestsTest.class.getClassLoader())
                    .setDeploymentName("standing")
                    .setContextPath("/")
                    .addServlet(
                        Servlets.servlet(
                                "standing",
                                StandingServlet.class,
                                new ImmediateInstanceFactory<>(new StandingServlet(standing, free)))
                            .addMapping("/*")));
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(2 * STUCK)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
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
  void manyStuckRequestsDoNotKeepAQuickOneWaiting() throws Exception {
    InetSocketAddress address = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    for (int i = 0; i < STUCK; i++) {
      RawConnection client = RawConnection.to(address);
      stuck.add(client);
      client.send(RawConnection.post("/stuck", ""));
    }
    // Twice as many as the few threads: each of the rest takes a thread of its own.
    assertTrue(standing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));

    HttpRequest quick =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/quick"))
            .POST(HttpRequest.BodyPublishers.ofString("whole"))
            .timeout(PATIENCE)
            .build();
    assertEquals(
        "5", HttpClient.newHttpClient().send(quick, BodyHandlers.ofString(US_ASCII)).body());
  }

  private static final class StandingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch standing;
    private final transient CountDownLatch free;

    StandingServlet(CountDownLatch standing, CountDownLatch free) {
      this.standing = standing;
      this.free = free;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException {
      if (request.getRequestURI().equals("/stuck")) {
        standing.countDown();
        standStill();
      }
      int length = request.getInputStream().readAllBytes().length;
      response.getOutputStream().print(length);
    }

    private void standStill() throws ServletException {
      try {
        free.await();
      } catch (InterruptedException e) {
        throw new ServletException(e);
      }
    }
  }
}
