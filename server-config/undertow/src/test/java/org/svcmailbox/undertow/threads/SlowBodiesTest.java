package org.svcmailbox.undertow.threads;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.net.Socket;
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

/** Clients that send slowly, and one that does not, on the web server itself. */
class SlowBodiesTest {
  private static final int SLOW = 4 * Runtime.getRuntime().availableProcessors();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final List<Socket> slow = new ArrayList<>();
  private final CountDownLatch reading = new CountDownLatch(SLOW);
  private DeploymentManager deployment;
  private Undertow undertow;

  @BeforeEach
  void start() throws ServletException {
    // The extension is not named here: the server finds it by its service file.
    deployment =
        Servlets.defaultContainer()
            .addDeployment(
                Servlets.deployment()
                    .setClassLoader(SlowBodiesTest.class.getClassLoader())
                    .setDeploymentName("reading")
                    .setContextPath("/")
                    .addServlet(
                        Servlets.servlet(
                                "reading",
                                ReadingServlet.class,
                                new ImmediateInstanceFactory<>(new ReadingServlet(reading)))
                            .addMapping("/*")));
    deployment.deploy();
    undertow =
        Undertow.builder()
            .setIoThreads(2)
            .setWorkerThreads(2 * SLOW)
            .addHttpListener(0, "127.0.0.1")
            .setHandler(deployment.start())
            .build();
    undertow.start();
  }

  @AfterEach
  void stop() throws IOException, ServletException {
    for (Socket socket : slow) {
      socket.close();
    }
    undertow.stop();
    deployment.stop();
  }

  @Test
  void manySlowClientsDoNotKeepAQuickOneWaiting() throws Exception {
    InetSocketAddress address = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    for (int i = 0; i < SLOW; i++) {
      Socket socket = new Socket(address.getAddress(), address.getPort());
      slow.add(socket);
      String head = "POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf";
      socket.getOutputStream().write(head.getBytes(US_ASCII));
    }
    // Twice as many as the few threads: each of the rest takes a thread of its own.
    reading.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertEquals(0, reading.getCount());

    HttpRequest quick =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/quick"))
            .POST(HttpRequest.BodyPublishers.ofString("whole"))
            .timeout(PATIENCE)
            .build();
    assertEquals(
        "5", HttpClient.newHttpClient().send(quick, BodyHandlers.ofString(US_ASCII)).body());
  }

  private static final class ReadingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient CountDownLatch reading;

    ReadingServlet(CountDownLatch reading) {
      this.reading = reading;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getRequestURI().equals("/slow")) {
        reading.countDown();
      }
      int length = request.getInputStream().readAllBytes().length;
      response.getOutputStream().print(length);
    }
  }
}
