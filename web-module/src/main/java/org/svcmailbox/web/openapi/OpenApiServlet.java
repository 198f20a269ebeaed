package org.svcmailbox.web.openapi;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * {@code GET /openapi}: the document in YAML, byte for byte. A server with MicroProfile OpenAPI
 * answers by itself.
 */
@WebServlet(name = "openapi", urlPatterns = "/openapi", asyncSupported = true)
public final class OpenApiServlet extends HttpServlet {
  private static final String DOCUMENT = "/META-INF/openapi.yaml";
  private static final long serialVersionUID = 1L;

  private final byte[] document = read();

  private static byte[] read() {
    try (InputStream in = OpenApiServlet.class.getResourceAsStream(DOCUMENT)) {
      return Objects.requireNonNull(in, DOCUMENT).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/yaml");
    response.setContentLength(document.length);
    response.getOutputStream().write(document);
  }
}
