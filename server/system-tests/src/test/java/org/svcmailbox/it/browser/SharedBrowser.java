package org.svcmailbox.it.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides the browser that all tests share. It starts on first use and stops after the last test.
 * Tabs share no state.
 */
final class SharedBrowser implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedBrowser.class);

  /**
   * Runs as root, without background traffic, and with WebRTC over loopback. Tests may collect
   * garbage and read the size of the heap.
   */
  private static final List<String> ARGUMENTS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--enable-precise-memory-info",
          "--js-flags=--expose-gc",
          "--allow-loopback-in-peer-connection",
          "--disable-features=WebRtcHideLocalIpsWithMdns");

  /** Generous for a busy machine. */
  private static final double PATIENCE_MILLIS = 20_000;

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Browser.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Running.class, type -> Running.start(), Running.class)
        .browser();
  }

  /** A browser and its driver. */
  record Running(Playwright playwright, Browser browser) implements AutoCloseable {
    static Running start() {
      PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
      // The tests use the machine's browser.
      Map<String, String> environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
      Playwright playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
      BrowserType.LaunchOptions options =
          new BrowserType.LaunchOptions()
              .setExecutablePath(Chromium.program())
              .setArgs(ARGUMENTS)
              .setHeadless(true);
      return new Running(playwright, playwright.chromium().launch(options));
    }

    @Override
    public void close() {
      browser.close();
      playwright.close();
    }
  }
}
