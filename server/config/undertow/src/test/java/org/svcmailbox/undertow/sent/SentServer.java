package org.svcmailbox.undertow.sent;

import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.net.TestCertificate;
import org.xnio.Options;

/** Undertow with a servlet that answers with as many bytes as the query says, without blocking. */
final class SentServer implements AutoCloseable {
  /** The report of each response, in the order of the requests. */
  final BlockingQueue<CompletableFuture<Boolean>> reports = new LinkedBlockingQueue<>();

  private final DeploymentManager deployment;
  private final Undertow undertow;

  SentServer(@Nullable TestCertificate certificate) throws ServletException {
    deployment =
        Servlets.newContainer()
            .addDeployment(
                Servlets.deployment()
                    .setClassLoader(SentServer.class.getClassLoader())
                    .setDeploymentName("sent")
                    .setContextPath("/")
                    .addInitParameter(SentHandler.ATTRIBUTE, "true")
                    .addServlet(
                        Servlets.servlet(
                                "answer",
                                Answer.class,
                                new ImmediateInstanceFactory<>(new Answer(reports)))
                            .setAsyncSupported(true)
                            .addMapping("/*")));
    deployment.deploy();
    Undertow.Builder builder =
        Undertow.builder()
            .setIoThreads(1)
            .setWorkerThreads(2)
            .setSocketOption(Options.SEND_BUFFER, 8 << 10)
            .setHandler(deployment.start());
    if (certificate == null) {
      builder.addHttpListener(0, "127.0.0.1");
    } else {
      builder.addHttpsListener(0, "127.0.0.1", certificate.showing());
    }
    undertow = builder.build();
    undertow.start();
  }

  InetSocketAddress address() {
    return (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
  }

  @Override
  public void close() throws ServletException {
    undertow.stop();
    deployment.stop();
  }

  private static final class Answer extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient BlockingQueue<CompletableFuture<Boolean>> reports;

    Answer(BlockingQueue<CompletableFuture<Boolean>> reports) {
      this.reports = reports;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] body = new byte[Integer.parseInt(request.getQueryString())];
      response.setContentLength(body.length);
      CompletableFuture<Boolean> sent = new CompletableFuture<>();
      request.setAttribute(SentHandler.ATTRIBUTE, sent);
      AsyncContext context = request.startAsync();
      ServletOutputStream output = response.getOutputStream();
      output.setWriteListener(new Writing(output, body, context));
      reports.add(sent);
    }
  }

  private static final class Writing implements WriteListener {
    private final ServletOutputStream output;
    private final byte[] body;
    private final AsyncContext context;
    private boolean isBegun;

    Writing(ServletOutputStream output, byte[] body, AsyncContext context) {
      this.output = output;
      this.body = body;
      this.context = context;
    }

    @Override
    public void onWritePossible() throws IOException {
      if (!isBegun) {
        isBegun = true;
        output.write(body);
      }
      if (output.isReady()) {
        context.complete();
      }
    }

    @Override
    public void onError(Throwable failure) {
      context.complete();
    }
  }
}
