/** The HTTP doors: they turn requests into core types and outcomes into responses. */
@NullMarked
package org.svcmailbox.web;

import org.jspecify.annotations.NullMarked;
