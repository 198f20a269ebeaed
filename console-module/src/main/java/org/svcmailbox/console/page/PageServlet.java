package org.svcmailbox.console.page;

import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Serves the console's static files from memory. */
@WebServlet(name = "pages", urlPatterns = "/", loadOnStartup = 1)
public final class PageServlet extends HttpServlet {
  private static final String INDEX = "index.html";
  private static final String FOR_GOOD = "public, max-age=31536000, immutable";
  private static final Pattern PRIVATE = Pattern.compile("/(?:WEB|META)-INF/.*");
  private static final Pattern GZIP = Pattern.compile("(?:^|[,\\s])gzip(?:$|[,;\\s])");
  private static final Pattern NO_GZIP =
      Pattern.compile("(?:^|[,\\s])gzip\\s*;\\s*q=0(?:\\.0*)?\\b");
  private static final long serialVersionUID = 1L;

  private transient Assets assets = Assets.of(Map.of());
  private transient Map<String, Page> pages = Map.of();

  @Override
  public void init() {
    Map<String, byte[]> found = new HashMap<>();
    read("/", found);
    assets = Assets.of(found);
    pages =
        assets.files().entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, file -> Page.of(file.getKey(), file.getValue())));
  }

  private void read(String directory, Map<String, byte[]> found) {
    ServletContext context = getServletContext();
    Set<String> paths = context.getResourcePaths(directory);
    for (String path : paths == null ? Set.<String>of() : paths) {
      if (path.endsWith("/")) {
        if (!PRIVATE.matcher(path).matches()) {
          read(path, found);
        }
      } else {
        found.put(path, bytes(context, path));
      }
    }
  }

  private static byte[] bytes(ServletContext context, String path) {
    try (InputStream content = context.getResourceAsStream(path)) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String asked = request.getServletPath();
    String path = asked.isEmpty() ? "/" : asked;
    Page page = pages.get(path.endsWith("/") ? path + INDEX : path);
    if (page == null) {
      response.setContentType("text/plain; charset=utf-8");
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
      response.getOutputStream().print("Not found\n");
    } else {
      response.setHeader("Cache-Control", assets.isForGood(path) ? FOR_GOOD : "no-cache");
      write(page, request, response);
    }
  }

  private static void write(Page page, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Page.Representation> gzip =
        page.gzip().filter(any -> acceptsGzip(request.getHeader("Accept-Encoding")));
    Page.Representation body = gzip.orElse(page.plain());
    response.setHeader("ETag", body.tag());
    response.setHeader("Vary", "Accept-Encoding");
    if (matches(body.tag(), request.getHeader("If-None-Match"))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    gzip.ifPresent(any -> response.setHeader("Content-Encoding", "gzip"));
    response.setContentType(page.type());
    response.setContentLength(body.bytes().length);
    response.getOutputStream().write(body.bytes());
  }

  private static boolean acceptsGzip(@Nullable String accepted) {
    return accepted != null && GZIP.matcher(accepted).find() && !NO_GZIP.matcher(accepted).find();
  }

  private static boolean matches(String tag, @Nullable String condition) {
    return condition != null && (condition.contains(tag) || condition.strip().equals("*"));
  }
}
