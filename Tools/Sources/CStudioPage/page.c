// The files of the studio's page, in the program itself: the command is one file.
//
// `#embed` takes the compiler a twentieth of a second. The same bytes as a literal in Swift take it
// a fifth of a second for each kilobyte.

#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CStudioPage.h"

static const unsigned char api_js[] = {
#embed "Page/api.js"
};
static const unsigned char browse_js[] = {
#embed "Page/browse.js"
};
static const unsigned char changes_js[] = {
#embed "Page/changes.js"
};
static const unsigned char column_js[] = {
#embed "Page/column.js"
};
static const unsigned char diagram_js[] = {
#embed "Page/diagram.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char edit_js[] = {
#embed "Page/edit.js"
};
static const unsigned char export_js[] = {
#embed "Page/export.js"
};
static const unsigned char favicon_svg[] = {
#embed "Page/favicon.svg"
};
static const unsigned char fields_js[] = {
#embed "Page/fields.js"
};
static const unsigned char filter_js[] = {
#embed "Page/filter.js"
};
static const unsigned char grid_js[] = {
#embed "Page/grid.js"
};
static const unsigned char heads_js[] = {
#embed "Page/heads.js"
};
static const unsigned char import_js[] = {
#embed "Page/import.js"
};
static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char keys_js[] = {
#embed "Page/keys.js"
};
static const unsigned char live_js[] = {
#embed "Page/live.js"
};
static const unsigned char model_js[] = {
#embed "Page/model.js"
};
static const unsigned char object_js[] = {
#embed "Page/object.js"
};
static const unsigned char objectedit_js[] = {
#embed "Page/objectedit.js"
};
static const unsigned char objectpage_js[] = {
#embed "Page/objectpage.js"
};
static const unsigned char panel_js[] = {
#embed "Page/panel.js"
};
static const unsigned char pick_js[] = {
#embed "Page/pick.js"
};
static const unsigned char query_js[] = {
#embed "Page/query.js"
};
static const unsigned char rows_js[] = {
#embed "Page/rows.js"
};
static const unsigned char select_js[] = {
#embed "Page/select.js"
};
static const unsigned char settings_js[] = {
#embed "Page/settings.js"
};
static const unsigned char studio_css[] = {
#embed "Page/studio.css"
};
static const unsigned char studio_js[] = {
#embed "Page/studio.js"
};
static const unsigned char swift_js[] = {
#embed "Page/swift.js"
};
static const unsigned char values_js[] = {
#embed "Page/values.js"
};
static const unsigned char viewport_js[] = {
#embed "Page/viewport.js"
};
static const unsigned char views_js[] = {
#embed "Page/views.js"
};
static const unsigned char whole_js[] = {
#embed "Page/whole.js"
};

#define FILE(name, variable) {name, variable, sizeof(variable)}

static const struct strata_page_file files[] = {
  FILE("api.js", api_js),
  FILE("browse.js", browse_js),
  FILE("changes.js", changes_js),
  FILE("column.js", column_js),
  FILE("diagram.js", diagram_js),
  FILE("dom.js", dom_js),
  FILE("edit.js", edit_js),
  FILE("export.js", export_js),
  FILE("favicon.svg", favicon_svg),
  FILE("fields.js", fields_js),
  FILE("filter.js", filter_js),
  FILE("grid.js", grid_js),
  FILE("heads.js", heads_js),
  FILE("import.js", import_js),
  FILE("index.html", index_html),
  FILE("keys.js", keys_js),
  FILE("live.js", live_js),
  FILE("model.js", model_js),
  FILE("object.js", object_js),
  FILE("objectedit.js", objectedit_js),
  FILE("objectpage.js", objectpage_js),
  FILE("panel.js", panel_js),
  FILE("pick.js", pick_js),
  FILE("query.js", query_js),
  FILE("rows.js", rows_js),
  FILE("select.js", select_js),
  FILE("settings.js", settings_js),
  FILE("studio.css", studio_css),
  FILE("studio.js", studio_js),
  FILE("swift.js", swift_js),
  FILE("values.js", values_js),
  FILE("viewport.js", viewport_js),
  FILE("views.js", views_js),
  FILE("whole.js", whole_js),
};

const struct strata_page_file *strata_page_file(size_t index) {
  return index < sizeof(files) / sizeof(files[0]) ? &files[index] : NULL;
}
