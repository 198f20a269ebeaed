package org.svcmailbox.web.health;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.Half;

/** Tells the process when the endpoints start and stop. */
@WebListener
public final class EndpointLifecycle implements ServletContextListener {
  @Override
  public void contextInitialized(ServletContextEvent event) {
    ApplicationState.begun(Half.ENDPOINTS);
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    ApplicationState.ended(Half.ENDPOINTS);
  }
}
