package org.svcmailbox.web.health;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.health.ApplicationState;

/** Tells the process from when to when the endpoints are there. */
@WebListener
public final class Serving implements ServletContextListener {
  @Override
  public void contextInitialized(ServletContextEvent event) {
    ApplicationState.serving();
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    ApplicationState.ended();
  }
}
