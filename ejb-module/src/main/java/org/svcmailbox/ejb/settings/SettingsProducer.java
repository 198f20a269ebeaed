package org.svcmailbox.ejb.settings;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.ConfigProvider;
import org.svcmailbox.core.health.StartFailure;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsException;

/** Injects the settings, loaded once, into every module. */
@ApplicationScoped
public class SettingsProducer {
  @Produces
  @Singleton
  public MailboxSettings settings() {
    try {
      return new SettingsSource(ConfigProvider.getConfig(), System.getenv()).load();
    } catch (SettingsException e) {
      StartException refused = new StartException(String.valueOf(e.getMessage()), true, e);
      StartFailure.report(refused);
      throw refused;
    }
  }
}
