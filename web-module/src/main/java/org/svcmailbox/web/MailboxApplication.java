package org.svcmailbox.web;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The JAX-RS application; the server discovers its resources and providers by annotation. */
@ApplicationPath("/v1")
public class MailboxApplication extends Application {}
